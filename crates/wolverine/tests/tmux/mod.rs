//! A real terminal for tests: the binary runs inside of tmux.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(20);
const PROMPT: &str = "(Wolverine)";

/// A terminal in which `wolverine debug` runs.
pub struct Screen {
    socket: String,
    /// Everything that the binary writes is in here, and its processes know of it.
    folder: TempDir,
}

impl Screen {
    /// Starts the binary and waits for its first prompt.
    pub fn debug(program: &Path, engine: &str) -> Screen {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let screen = Screen { socket: format!("wolverine-{}-{number}", std::process::id()), folder };
        let home = screen.folder.path().display();
        let line = format!(
            "env -u NO_COLOR TMPDIR={home} XDG_STATE_HOME={home}/state {} debug {} --engine {engine}; \
             echo ended with $?; sleep 1000",
            env!("CARGO_BIN_EXE_wolverine"),
            program.display(),
        );
        screen.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "50", &line]);
        screen.wait_for(PROMPT);
        screen
    }

    /// Types a line and waits for the next prompt; what was written in between.
    pub fn run(&self, line: &str) -> String {
        let before = prompts(&self.text());
        self.type_text(line);
        self.press("Enter");
        self.wait_until(&format!("a prompt after `{line}`"), |text| prompts(text) > before);
        let text = self.text();
        let mut lines = text.lines();
        let mut count = 0;
        lines
            .by_ref()
            .take_while(|line| {
                count += usize::from(line.starts_with(PROMPT));
                count < before
            })
            .for_each(drop);
        lines.take_while(|line| !line.starts_with(PROMPT)).map(|line| format!("{line}\n")).collect()
    }

    /// Types text and no more.
    pub fn type_text(&self, text: &str) {
        if !text.is_empty() {
            self.tmux(&["send-keys", "-l", text]);
        }
    }

    /// Presses a key, by tmux's name for it.
    pub fn press(&self, key: &str) {
        self.tmux(&["send-keys", key]);
    }

    /// All that was written, the last line last.
    pub fn text(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-S", "-"]).trim_end().to_string()
    }

    /// What was written, with its colours.
    pub fn colored_text(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-e", "-S", "-"])
    }

    pub fn prompts(&self) -> usize {
        prompts(&self.text())
    }

    pub fn wait_for(&self, what: &str) {
        self.wait_until(what, |text| text.contains(what));
    }

    /// Waits until the line that is being typed is this.
    pub fn wait_for_typed(&self, what: &str) {
        let line = format!("{PROMPT} {what}");
        self.wait_until(what, |text| text.lines().last() == Some(line.trim_end()));
    }

    pub fn wait_until(&self, what: &str, is_there: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_there(&self.text()) {
            assert!(Instant::now() < deadline, "no {what} on the screen:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Wolverine, gdb and the program: whoever has inherited the folder.
    pub fn processes(&self) -> Vec<(u32, String)> {
        let mark = self.folder.path().display().to_string();
        let entries = std::fs::read_dir("/proc").expect("a list of processes");
        let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
        numbers.filter(|pid| read(*pid, "environ").contains(&mark)).map(|pid| (pid, read(pid, "comm"))).collect()
    }

    /// The process of Wolverine itself.
    pub fn wolverine(&self) -> u32 {
        let found = self.processes();
        found.iter().find(|(_, name)| name.trim() == "wolverine").unwrap_or_else(|| panic!("among {found:?}")).0
    }

    /// Waits until nothing runs any more and no file is left behind.
    pub fn assert_gone(&self) {
        let deadline = Instant::now() + PATIENCE;
        while !self.processes().is_empty() {
            assert!(Instant::now() < deadline, "still running: {:?}", self.processes());
            std::thread::sleep(Duration::from_millis(30));
        }
        let left: Vec<PathBuf> = std::fs::read_dir(self.folder.path())
            .expect("the folder")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| !path.ends_with("state"))
            .collect();
        assert!(left.is_empty(), "left behind: {left:?}");
    }

    /// The file in which lines are remembered.
    pub fn history(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("state/wolverine/history")).unwrap_or_default()
    }

    /// Closes the terminal, as a window is closed.
    pub fn close(&self) {
        let _ = self.command(&["kill-server"]).output();
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().expect("tmux is not installed; run ./setup");
        assert!(output.status.success(), "tmux {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.args(["-u", "-L", &self.socket]).args(arguments).stdin(Stdio::null());
        command
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.close();
    }
}

fn prompts(text: &str) -> usize {
    text.lines().filter(|line| line.starts_with(PROMPT)).count()
}

/// A file of a process, empty if it is gone.
fn read(pid: u32, name: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default()).into_owned()
}
