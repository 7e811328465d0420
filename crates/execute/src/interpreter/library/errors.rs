//! `errno` and the texts of its values.

use super::super::memory::{Address, Trouble};
use super::streams::STDERR;
use super::{Context, Function, Outcome, address, int, take};

type Answer = Result<Outcome, Trouble>;

pub(super) const ENOENT: i32 = 2;
pub(super) const EIO: i32 = 5;
pub(super) const EBADF: i32 = 9;
pub(super) const ENOMEM: i32 = 12;
pub(super) const EINVAL: i32 = 22;
pub(super) const ESPIPE: i32 = 29;
pub(super) const EDOM: i32 = 33;
pub(super) const ERANGE: i32 = 34;

/// The functions of this file.
pub(super) const FUNCTIONS: &[(&str, Function)] =
    &[("__errno_location", |context, _| address(context.errno_address())), ("strerror", strerror), ("perror", perror)];

impl Context<'_> {
    /// Where `errno` is; it is made when it is first asked for.
    fn errno_address(&mut self) -> Address {
        self.lasting("errno", &[0; 4])
    }

    /// Sets `errno`.
    pub(super) fn set_errno(&mut self, code: i32) {
        let place = self.errno_address();
        // Without memory for `errno` itself, the program has other worries.
        let _ = self.memory.store(place, 4, code as u64);
    }

    /// What `errno` is.
    pub(super) fn errno(&self) -> i32 {
        let place = self.state.made.get("errno").copied().unwrap_or(0);
        self.memory.load(place, 4).unwrap_or(0) as i32
    }
}

fn strerror(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [code] = take(args)?;
    let mut text = text(code as i32).into_bytes();
    text.push(0);
    address(context.lasting(&format!("error {}", code as i32), &text))
}

fn perror(context: &mut Context<'_>, args: &[u64]) -> Answer {
    let [prefix] = take(args)?;
    let mut line = if prefix == 0 { Vec::new() } else { context.memory.text(prefix)?.to_vec() };
    if !line.is_empty() {
        line.extend_from_slice(b": ");
    }
    line.extend_from_slice(text(context.errno()).as_bytes());
    line.push(b'\n');
    context.state.streams.write(STDERR, &line);
    int(0)
}

/// What glibc calls an error.
pub(super) fn text(code: i32) -> String {
    let known = usize::try_from(code).ok().and_then(|code| TEXTS.get(code)).filter(|text| !text.is_empty());
    known.map_or_else(|| format!("Unknown error {code}"), |text| text.to_string())
}

/// The texts of the errors 0, 1, 2 and so on.
#[rustfmt::skip]
const TEXTS: &[&str] = &[
    "Success", "Operation not permitted", "No such file or directory", "No such process", "Interrupted system call",
    "Input/output error", "No such device or address", "Argument list too long", "Exec format error",
    "Bad file descriptor", "No child processes", "Resource temporarily unavailable", "Cannot allocate memory",
    "Permission denied", "Bad address", "Block device required", "Device or resource busy", "File exists",
    "Invalid cross-device link", "No such device", "Not a directory", "Is a directory", "Invalid argument",
    "Too many open files in system", "Too many open files", "Inappropriate ioctl for device", "Text file busy",
    "File too large", "No space left on device", "Illegal seek", "Read-only file system", "Too many links",
    "Broken pipe", "Numerical argument out of domain", "Numerical result out of range", "Resource deadlock avoided",
    "File name too long", "No locks available", "Function not implemented", "Directory not empty",
    "Too many levels of symbolic links", "", "No message of desired type", "Identifier removed",
    "Channel number out of range", "Level 2 not synchronized", "Level 3 halted", "Level 3 reset",
    "Link number out of range", "Protocol driver not attached", "No CSI structure available", "Level 2 halted",
    "Invalid exchange", "Invalid request descriptor", "Exchange full", "No anode", "Invalid request code",
    "Invalid slot", "", "Bad font file format", "Device not a stream", "No data available", "Timer expired",
    "Out of streams resources", "Machine is not on the network", "Package not installed", "Object is remote",
    "Link has been severed", "Advertise error", "Srmount error", "Communication error on send", "Protocol error",
    "Multihop attempted", "RFS specific error", "Bad message", "Value too large for defined data type",
    "Name not unique on network", "File descriptor in bad state", "Remote address changed",
    "Can not access a needed shared library", "Accessing a corrupted shared library",
    ".lib section in a.out corrupted", "Attempting to link in too many shared libraries",
    "Cannot exec a shared library directly", "Invalid or incomplete multibyte or wide character",
    "Interrupted system call should be restarted", "Streams pipe error", "Too many users",
    "Socket operation on non-socket", "Destination address required", "Message too long",
    "Protocol wrong type for socket", "Protocol not available", "Protocol not supported", "Socket type not supported",
    "Operation not supported", "Protocol family not supported", "Address family not supported by protocol",
    "Address already in use", "Cannot assign requested address", "Network is down", "Network is unreachable",
    "Network dropped connection on reset", "Software caused connection abort", "Connection reset by peer",
    "No buffer space available", "Transport endpoint is already connected", "Transport endpoint is not connected",
    "Cannot send after transport endpoint shutdown", "Too many references: cannot splice", "Connection timed out",
    "Connection refused", "Host is down", "No route to host", "Operation already in progress",
    "Operation now in progress", "Stale file handle", "Structure needs cleaning", "Not a XENIX named type file",
    "No XENIX semaphores available", "Is a named type file", "Remote I/O error", "Disk quota exceeded",
    "No medium found", "Wrong medium type", "Operation canceled", "Required key not available", "Key has expired",
    "Key has been revoked", "Key was rejected by service", "Owner died", "State not recoverable",
    "Operation not possible due to RF-kill", "Memory page has hardware error",
];
