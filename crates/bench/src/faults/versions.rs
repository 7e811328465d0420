//! The faulty versions of a program, drawn once and kept in files.
//!
//! `DIR/versions/b01_reverse_singly/1-seed1/07.c` is the eighth version of
//! class 1, `07.json` says what is wrong with it.

use std::path::{Path, PathBuf};

use inject::{Fault, Version};
use serde::{Deserialize, Serialize};

use super::options::{Class, Options};
use crate::BenchError;
use crate::study::Study;

/// A faulty version.
#[derive(Clone, Debug)]
pub struct Faulty {
    /// Its text.
    pub text: Vec<u8>,
    /// What is wrong; the repair never sees this.
    pub faults: Vec<Fault>,
}

/// What is kept of a class besides its versions.
#[derive(Serialize, Deserialize)]
struct Drawn {
    /// How many were asked for.
    asked: usize,
    /// How many there are.
    found: usize,
}

/// The versions of a class, fewer than asked for if there are no more.
pub fn versions(study: &Study, class: Class, options: &Options) -> Result<Vec<Faulty>, BenchError> {
    let seed = options.seed;
    let folder = options.output.join("versions").join(study.name()).join(format!("{class}-seed{seed}"));
    if let Some(drawn) = read_json::<Drawn>(&folder.join("drawn.json")).filter(|drawn| drawn.asked >= options.versions)
    {
        return (0..drawn.found.min(options.versions)).map(|number| read(&folder, number)).collect();
    }
    let found = draw(study, class, options)?;
    std::fs::create_dir_all(&folder).map_err(|error| failed(&folder, error))?;
    for (number, version) in found.iter().enumerate() {
        write(&folder.join(format!("{number:02}.c")), &version.text)?;
        write(&folder.join(format!("{number:02}.json")), &to_json(&version.faults))?;
    }
    write(&folder.join("drawn.json"), &to_json(&Drawn { asked: options.versions, found: found.len() }))?;
    Ok(found)
}

/// Where variables and fields alone do not give enough versions, operators and constants are changed too.
fn draw(study: &Study, class: Class, options: &Options) -> Result<Vec<Faulty>, BenchError> {
    let program = &study.model.program;
    let mut asked = inject::Options {
        functions: study.functions.iter().map(|&id| program.function(id).name.to_string()).collect(),
        change: class.change,
        delete: class.delete,
        count: options.versions,
        seed: seed_of(&study.name(), class, options.seed),
        operators: false,
        inputs: study.case.inputs[..study.case.seen].to_vec(),
        stdin: study.case.stdin.clone(),
    };
    let mut versions: Vec<Version> = inject::inject(program, &asked, &mut |_| {})?.versions;
    if versions.len() < options.versions {
        asked.operators = true;
        for more in inject::inject(program, &asked, &mut |_| {})?.versions {
            if versions.len() < options.versions && versions.iter().all(|version| version.text != more.text) {
                versions.push(more);
            }
        }
    }
    Ok(versions.into_iter().map(|version| Faulty { text: version.text, faults: version.faults }).collect())
}

/// Every program and class has its own faults.
fn seed_of(name: &str, class: Class, seed: u64) -> u64 {
    let start = seed.wrapping_mul(1009).wrapping_add((class.change * 10 + class.delete) as u64);
    name.bytes().fold(start, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()))
}

fn read(folder: &Path, number: usize) -> Result<Faulty, BenchError> {
    let path = folder.join(format!("{number:02}.c"));
    let text = std::fs::read(&path).map_err(|error| failed(&path, error))?;
    let note = folder.join(format!("{number:02}.json"));
    let missing = || failed(&note, std::io::ErrorKind::InvalidData.into());
    Ok(Faulty { text, faults: read_json(&note).ok_or_else(missing)? })
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

fn to_json<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec_pretty(value).expect("it is plain data")
}

fn write(path: &PathBuf, bytes: &[u8]) -> Result<(), BenchError> {
    std::fs::write(path, bytes).map_err(|error| failed(path, error))
}

fn failed(path: &Path, error: std::io::Error) -> BenchError {
    BenchError::Io { path: path.display().to_string(), error }
}
