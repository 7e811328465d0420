//! A counterexample on the real binary: the text is compiled, with the inputs
//! as tables beside it, and run natively.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::confirm::Example;
use crate::driver::DRIVER;
use crate::task::{Side, Task};

/// A native run that takes longer does not end, for all we know.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the real binary did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Native {
    /// Whether that is wrong: it crashed, did not end, or differs from the reference's binary.
    pub wrong: bool,
    what: String,
}

impl Native {
    /// What happened, as a sentence.
    pub fn sentence(&self) -> String {
        self.what.clone()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    Status(i32, Vec<u8>),
    Signal(i32),
    Endless,
}

/// Compiles and runs the program (and its reference) with these inputs.
pub fn replay(task: &Task, example: &Example) -> Result<Native, String> {
    let got = native(&task.program, example)?;
    let expected = task.reference.as_ref().map(|reference| native(reference, example)).transpose()?;
    let (wrong, what) = match (&got, &expected) {
        (End::Signal(6), _) => (true, "it aborts, as by a failed assertion".to_string()),
        (End::Signal(8), _) => (true, "it crashes with a division by zero".to_string()),
        (End::Signal(signal), _) => (true, format!("it crashes with signal {signal}")),
        (End::Endless, _) => (true, format!("it does not end within {} s", PATIENCE.as_secs())),
        (End::Status(..), Some(expected)) if *expected != got => {
            (true, "it prints or returns something else than the reference's binary".to_string())
        }
        (End::Status(status, _), Some(_)) => {
            (false, format!("it ends with status {status}, as the reference's binary does"))
        }
        (End::Status(status, _), None) => {
            (false, format!("it ends with status {status}: the wrong access does not crash it here"))
        }
    };
    Ok(Native { wrong, what })
}

/// C text that gives `__VERIFIER_nondet_*` its values.
fn stubs(example: &Example) -> String {
    let values: Vec<String> = example.nondet.iter().map(|value| format!("{}LL", *value as i64)).collect();
    let values = if values.is_empty() {
        "0".into()
    } else {
        values.join(", ").replace("-9223372036854775808LL", "(-9223372036854775807LL - 1)")
    };
    let mut text = format!(
        "#include <stdlib.h>\nstatic long long wolverine_values[] = {{ {values} }};\nstatic unsigned wolverine_next;\n\
         static long long wolverine_take(void) {{ return wolverine_next < sizeof wolverine_values / sizeof *wolverine_values ? wolverine_values[wolverine_next++] : 0; }}\n\
         void __VERIFIER_assume(int holds) {{ if (!holds) exit(0); }}\nvoid __VERIFIER_assert(int holds) {{ if (!holds) abort(); }}\n\
         void __wolverine_room(const void *object, unsigned long size) {{ (void)object; (void)size; }}\n\
         void __attribute__((weak)) reach_error(void) {{ abort(); }}\nvoid __attribute__((weak)) __VERIFIER_error(void) {{ abort(); }}\n"
    );
    for (name, ty) in [
        ("bool", "_Bool"),
        ("char", "char"),
        ("uchar", "unsigned char"),
        ("short", "short"),
        ("ushort", "unsigned short"),
        ("int", "int"),
        ("uint", "unsigned"),
        ("long", "long"),
        ("ulong", "unsigned long"),
        ("longlong", "long long"),
        ("ulonglong", "unsigned long long"),
    ] {
        text += &format!("{ty} __VERIFIER_nondet_{name}(void) {{ return ({ty})wolverine_take(); }}\n");
    }
    text
}

fn native(side: &Side, example: &Example) -> Result<End, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let at = |name: &str| folder.path().join(name);
    let write = |name: &str, bytes: &[u8]| std::fs::write(at(name), bytes).map_err(|error| error.to_string());
    let text = &side.source().bytes;
    if side.is_driven() {
        let (own, driver) = text.split_at(side.own);
        let start = b"#define main wolverine_own_main\n#line 1\n";
        let end = format!("\n#undef main\nint main(void) {{ return {DRIVER}(); }}\n");
        write("program.c", &[&start[..], own, driver, end.as_bytes()].concat())?;
    } else {
        write("program.c", text)?;
    }
    write("inputs.c", stubs(example).as_bytes())?;
    let includes = side.path.parent().map(|parent| format!("-I{}", parent.display()));
    let built = Command::new("gcc")
        .args(["-w", "-g", "-std=gnu11", "-o"])
        .arg(at("program"))
        .args([at("program.c"), at("inputs.c")])
        .args(includes.filter(|flag| flag != "-I"))
        .arg("-lm")
        .output()
        .map_err(|error| format!("gcc could not be started ({error}); on Debian: apt-get install gcc"))?;
    if !built.status.success() {
        return Err(format!("gcc does not take it: {}", String::from_utf8_lossy(&built.stderr).trim_end()));
    }
    let mut child = Command::new(at("program"))
        .args(example.arguments.iter().map(i128::to_string))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that reads less than it is given is fine.
        let _ = stdin.write_all(&example.stdin());
    }
    wait(child)
}

fn wait(mut child: std::process::Child) -> Result<End, String> {
    use std::io::Read;
    use std::os::unix::process::ExitStatusExt;
    let mut stdout = child.stdout.take().ok_or("no output")?;
    let reader = std::thread::spawn(move || {
        let mut bytes = vec![];
        let _ = stdout.by_ref().take(1 << 24).read_to_end(&mut bytes);
        bytes
    });
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            let output = reader.join().unwrap_or_default();
            return Ok(match status.signal() {
                Some(signal) => End::Signal(signal),
                None => End::Status(status.code().unwrap_or(0), output),
            });
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Ok(End::Endless);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
