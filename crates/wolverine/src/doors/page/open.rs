//! Opening a browser.

use std::process::{Command, Stdio};

/// Opens an address in the user's browser, if there is a screen to show it on.
/// The address was printed, so that nothing is lost if this fails.
pub(super) fn in_browser(address: &str) {
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if !has_screen {
        return;
    }
    let opened =
        Command::new("xdg-open").arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Ok(mut child) = opened {
        std::thread::spawn(move || child.wait());
    }
}
