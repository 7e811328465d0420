//! The page: the session in a browser.
//!
//! This door only translates: what the page sends becomes commands of
//! [`Session`], what they come to is sent back as data to draw. The session
//! lives in the thread that calls [`run`] and knows nothing of connections;
//! the server lives in another. Between them is the [hub](hub), which
//! remembers all that a page has to know, so that a page that is loaded again
//! shows what the one before it showed.

mod assets;
mod guard;
mod host;
mod hub;
mod open;
mod server;
mod wire;

use std::io::IsTerminal;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc::channel;

use session::Session;

use guard::Guard;
use host::{Ask, Host};
use hub::Hub;

/// How the page is served.
pub struct Settings {
    /// The port; any free one if 0.
    pub port: u16,
    /// Whether to open a browser.
    pub open: bool,
    /// Whether the page begins with the guided tour.
    pub tour: bool,
}

/// Serves the page until the session is over. gdb and the program end with it.
pub fn run(session: Session, settings: &Settings) -> Result<(), String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, settings.port))
        .map_err(|error| format!("cannot serve on port {}: {error}; `--port 0` takes a free one", settings.port))?;
    listener.set_nonblocking(true).map_err(|error| error.to_string())?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let guard = Arc::new(Guard::new(port).map_err(|error| format!("there are no random numbers: {error}"))?);
    let (asks, inbox) = channel();
    let hub = Arc::new(Hub::new(asks, session.interrupt()));
    let mut host = Host::new(session, hub.clone(), settings.tour);
    server::start(listener, guard.clone(), hub.clone())?;
    println!("Wolverine serves {} at {}", host.file(), guard.new_address());
    if settings.open {
        open::in_browser(&guard.address());
    }
    if std::io::stdin().is_terminal() {
        println!("Ctrl-C ends it; Enter prints a new address, as each works once.");
        give_addresses(guard);
    }
    for ask in inbox {
        match ask {
            Ask::End => break,
            ask => host.answer(ask),
        }
        if host.is_over() {
            break;
        }
    }
    hub.say_goodbye();
    Ok(())
}

/// Every Enter makes a new address, for another browser.
fn give_addresses(guard: Arc<Guard>) {
    std::thread::spawn(move || {
        let mut line = String::new();
        while std::io::stdin().read_line(&mut line).is_ok_and(|count| count > 0) {
            println!("{}", guard.new_address());
        }
    });
}
