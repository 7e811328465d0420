//! Builds the program that gdb runs: the user's file unchanged, with the
//! allocation shim.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use c_syntax::Source;

use crate::ExecuteError;
use crate::interpreter::library::is_for_verifiers;

const SHIM: &str = include_str!("shim.c");

/// The functions of the heap, whose calls go to the shim.
pub const ALLOCATORS: [&str; 9] =
    ["malloc", "calloc", "realloc", "reallocarray", "free", "strdup", "strndup", "aligned_alloc", "posix_memalign"];

/// Flags that every supported compiler takes: the code must stay close to the
/// text, and every variable at one place in its frame.
/// These functions are called as they are written, instead of what gcc knows
/// of them. Not all of them: an undeclared `malloc` must stay the builtin one,
/// or it would return an `int`.
const FLAGS: [&str; 17] = [
    "-g",
    "-gz=none",
    "-O0",
    "-std=gnu11",
    "-w",
    "-fno-pie",
    "-no-pie",
    "-fno-omit-frame-pointer",
    "-fno-builtin-strcmp",
    "-fno-builtin-strncmp",
    "-fno-builtin-memcmp",
    "-fno-builtin-printf",
    "-fno-builtin-fprintf",
    "-fno-builtin-sprintf",
    "-fno-builtin-snprintf",
    "-fno-builtin-puts",
    "-fno-builtin-putchar",
];

/// Mistakes of old programs that clang from version 16 on refuses. Older ones
/// do not know all names, which `-w` keeps quiet.
const CLANG_PERMISSIVE: [&str; 6] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
];

/// A C compiler that was found.
#[derive(Clone, Debug)]
pub struct Compiler {
    program: PathBuf,
    permissive: Vec<&'static str>,
}

impl Compiler {
    /// The one that `WOLVERINE_CC` names, else gcc, else clang.
    pub fn find() -> Result<Compiler, ExecuteError> {
        if let Some(name) = std::env::var_os("WOLVERINE_CC").filter(|name| !name.is_empty()) {
            return Compiler::named(&name.to_string_lossy());
        }
        Compiler::named("gcc").or_else(|_| Compiler::named("clang")).or_else(|_| Compiler::named("cc"))
    }

    /// The compiler called `name`.
    pub fn named(name: &str) -> Result<Compiler, ExecuteError> {
        let missing = |_| {
            let sentence = format!(
                "the C compiler `{name}` is not installed; the gdb engine needs gcc or clang (Debian: apt install gcc)"
            );
            ExecuteError::MissingTool(sentence)
        };
        let about = Command::new(name).args(["-dM", "-E", "-x", "c", "/dev/null"]).output().map_err(missing)?;
        let macros = String::from_utf8_lossy(&about.stdout);
        let number = |name: &str| {
            let line = macros.lines().find_map(|line| line.strip_prefix(&format!("#define {name} ")))?;
            line.trim().parse::<u32>().ok()
        };
        let permissive = match (number("__clang_major__"), number("__GNUC__")) {
            (Some(_), _) => CLANG_PERMISSIVE.to_vec(),
            (None, Some(14..)) => vec!["-fpermissive"],
            _ => Vec::new(),
        };
        Ok(Compiler { program: name.into(), permissive })
    }

    /// Builds `source` in `directory`; the answer is the program's path.
    pub fn build(&self, source: &Source, directory: &Path) -> Result<PathBuf, ExecuteError> {
        let shim = directory.join("wolverine-shim.c");
        write(&shim, SHIM.as_bytes())?;
        let object = directory.join("wolverine-shim.o");
        let stem = source.path.file_stem().map_or_else(|| OsString::from("program"), OsString::from);
        let folder = directory.join("program");
        make_folder(&folder)?;
        let binary = folder.join(stem);
        let text = user_file(source, directory)?;
        let mut shim_build = Command::new(&self.program);
        shim_build.args(["-g", "-O0", "-w", "-fPIC", "-fno-omit-frame-pointer", "-c", "-o"]).arg(&object).arg(&shim);
        // The shim is compiled while the user's file is.
        let shim_build = shim_build.output_later()?;
        let user_object = directory.join("wolverine-user.o");
        self.build_user_file(source, &text, &user_object)?;
        succeed(shim_build.wait_with_output().map_err(|error| self.io(error))?)?;
        let wrapped = ALLOCATORS.iter().chain(&["__assert_fail"]);
        let wraps: Vec<String> = wrapped.map(|name| format!("--wrap={name}")).collect();
        let mut link = Command::new(&self.program);
        link.args(["-no-pie", "-g"]).arg(format!("-Wl,{}", wraps.join(","))).arg("-o").arg(&binary);
        link.arg(&user_object).arg(&object).args(user_flags()).arg("-lm");
        succeed(self.run(&mut link)?).map_err(explain_link)?;
        Ok(binary)
    }

    /// Compiles the user's file. A variable that the user wants in a register
    /// cannot be seen in memory, so that wish is passed over where C allows to
    /// say `auto` instead: everywhere but at parameters.
    fn build_user_file(&self, source: &Source, text: &UserFile, object: &Path) -> Result<(), ExecuteError> {
        let wishes = source.bytes.windows(8).any(|word| word == b"register");
        let attempts: &[&[&str]] = if wishes { &[&["-Dregister=auto"], &[]] } else { &[&[]] };
        let mut result = Ok(());
        for flags in attempts {
            let mut build = Command::new(&self.program);
            build.args(FLAGS).args(&self.permissive).args(user_flags()).args(*flags);
            build.args(&text.flags).arg("-c").arg(&text.path).arg("-o").arg(object);
            result = succeed(self.run(&mut build)?);
            if result.is_ok() {
                break;
            }
        }
        result
    }

    fn run(&self, command: &mut Command) -> Result<Output, ExecuteError> {
        command.output().map_err(|error| self.io(error))
    }

    fn io(&self, error: std::io::Error) -> ExecuteError {
        ExecuteError::Io { what: format!("running {}", self.program.display()), error }
    }
}

trait OutputLater {
    fn output_later(&mut self) -> Result<std::process::Child, ExecuteError>;
}

impl OutputLater for Command {
    fn output_later(&mut self) -> Result<std::process::Child, ExecuteError> {
        use std::process::Stdio;
        let child = self.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        child.map_err(|error| ExecuteError::Io { what: "running the compiler".into(), error })
    }
}

/// The file to compile and the flags that make it look like the user's.
struct UserFile {
    path: PathBuf,
    flags: Vec<OsString>,
}

/// The user's file itself where it has the program's text, otherwise a copy
/// that calls itself by the user's name and finds the user's headers.
fn user_file(source: &Source, directory: &Path) -> Result<UserFile, ExecuteError> {
    let is_c = source.path.extension().is_some_and(|extension| extension == "c");
    if is_c && std::fs::read(&source.path).is_ok_and(|bytes| bytes == source.bytes) {
        return Ok(UserFile { path: source.path.clone(), flags: Vec::new() });
    }
    let folder = directory.join("source");
    make_folder(&folder)?;
    let name = source.path.file_name().map_or_else(|| OsString::from("program.c"), OsString::from);
    let path = folder.join(name);
    write(&path, &source.bytes)?;
    let home = source.path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut map = OsString::from("-ffile-prefix-map=");
    map.push(&folder);
    map.push("=");
    map.push(home);
    let flags = vec![map, "-iquote".into(), home.into(), "-x".into(), "c".into()];
    Ok(UserFile { path, flags })
}

/// Flags of the user, from `WOLVERINE_CFLAGS`.
fn user_flags() -> Vec<String> {
    let flags = std::env::var("WOLVERINE_CFLAGS").unwrap_or_default();
    flags.split_whitespace().map(String::from).collect()
}

fn succeed(output: Output) -> Result<(), ExecuteError> {
    match output.status.success() {
        true => Ok(()),
        false => Err(ExecuteError::Compile(String::from_utf8_lossy(&output.stderr).trim_end().to_string())),
    }
}

/// Says what to do where functions of verifiers are missing, which no library has.
fn explain_link(error: ExecuteError) -> ExecuteError {
    let ExecuteError::Compile(messages) = &error else { return error };
    let missing = messages.lines().filter_map(|line| line.split_once("undefined reference to `"));
    let mut names = missing.filter_map(|(_, rest)| rest.strip_suffix('\''));
    match names.find(|name| is_for_verifiers(name)) {
        Some(name) => ExecuteError::Compile(format!(
            "`{name}` is a function for verifiers, which no library has: use the interpreter, \
             or define it in the program\n{messages}"
        )),
        None => error,
    }
}

fn make_folder(path: &Path) -> Result<(), ExecuteError> {
    std::fs::create_dir_all(path)
        .map_err(|error| ExecuteError::Io { what: format!("making {}", path.display()), error })
}

/// Writes a file of the temporary directory.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), ExecuteError> {
    std::fs::write(path, bytes).map_err(|error| ExecuteError::Io { what: format!("writing {}", path.display()), error })
}
