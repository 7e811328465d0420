//! Who may come in: whoever has the address that was printed, once, and from
//! then on the browser that came with it.
//!
//! The token of the address is good for one visit. It is traded for a cookie,
//! so that the address is worth nothing to who finds it later, and a reload
//! works. Requests under another host name (a name that an attacker lets point
//! to this machine) and connections that pages of other origins open are
//! refused, cookie or not.

use std::io::Read;
use std::sync::Mutex;

use axum::http::{HeaderMap, header};

/// What is known of those who may come in.
pub(super) struct Guard {
    port: u16,
    /// The token of the last address; none once it was used.
    token: Mutex<Option<String>>,
    /// What the cookie holds.
    secret: String,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It asks for another host.
    Host,
    /// It comes from a page of another origin.
    Origin,
    /// It has no cookie.
    Stranger,
    /// Its token is wrong or was used.
    Token,
}

impl Refusal {
    /// A sentence for people.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Refusal::Host => "This page is only served under 127.0.0.1 and localhost.",
            Refusal::Origin => "Another page may not talk to this session.",
            Refusal::Stranger => {
                "This session belongs to somebody else. Use the address that Wolverine printed when it was started."
            }
            Refusal::Token => {
                "This address was used already, or is wrong: each works once. Go on in the browser that used it, or \
                 press Enter where Wolverine was started for a new one."
            }
        }
    }
}

impl Guard {
    pub(super) fn new(port: u16) -> std::io::Result<Guard> {
        Ok(Guard { port, token: Mutex::new(Some(random()?)), secret: random()? })
    }

    /// The address with the token that is good now.
    pub(super) fn address(&self) -> String {
        let token = self.token.lock().ok().and_then(|token| token.clone()).unwrap_or_default();
        format!("http://127.0.0.1:{}/?token={token}", self.port)
    }

    /// A fresh address; the one before it is worth nothing any more.
    pub(super) fn new_address(&self) -> String {
        if let (Ok(mut token), Ok(fresh)) = (self.token.lock(), random()) {
            *token = Some(fresh);
        }
        self.address()
    }

    /// Trades a token for a cookie.
    pub(super) fn admit(&self, given: &str) -> Result<String, Refusal> {
        let mut token = self.token.lock().map_err(|_| Refusal::Token)?;
        match &*token {
            Some(right) if is_equal(right, given) => {
                *token = None;
                Ok(format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie_name(), self.secret))
            }
            _ => Err(Refusal::Token),
        }
    }

    /// Whether a request is for this host.
    pub(super) fn check_host(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        match self.hosts().iter().any(|host| text(headers, header::HOST) == Some(host)) {
            true => Ok(()),
            false => Err(Refusal::Host),
        }
    }

    /// Whether a request comes from the browser that was admitted.
    pub(super) fn check_cookie(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let name = self.cookie_name();
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs = cookies.flat_map(|all| all.split(';')).filter_map(|pair| pair.trim().split_once('='));
        match pairs.any(|(key, value)| key == name && is_equal(&self.secret, value)) {
            true => Ok(()),
            false => Err(Refusal::Stranger),
        }
    }

    /// Whether a connection is opened by a page of ours.
    pub(super) fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let origin = text(headers, header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        match origin.is_some_and(|origin| self.hosts().iter().any(|host| host == origin)) {
            true => Ok(()),
            false => Err(Refusal::Origin),
        }
    }

    fn hosts(&self) -> [String; 2] {
        ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port))
    }

    /// Cookies do not tell ports apart, their names must.
    fn cookie_name(&self) -> String {
        format!("wolverine-{}", self.port)
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Compares in a time that does not tell how much of it is right.
fn is_equal(a: &str, b: &str) -> bool {
    let differ = a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
    a.len() == b.len() && differ == 0
}

/// 128 random bits.
fn random() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().expect("a header"))).collect()
    }

    fn token(guard: &Guard) -> String {
        guard.address().rsplit('=').next().expect("a token").to_string()
    }

    #[test]
    fn a_token_is_good_once() {
        let guard = Guard::new(8080).expect("random numbers");
        let token = token(&guard);
        assert_eq!(guard.admit("wrong"), Err(Refusal::Token));
        assert_eq!(guard.admit(""), Err(Refusal::Token));
        let cookie = guard.admit(&token).expect("the right one");
        assert_eq!(guard.admit(&token), Err(Refusal::Token));
        assert_eq!(guard.admit(""), Err(Refusal::Token));
        let pair = cookie.split(';').next().expect("a pair");
        assert_eq!(guard.check_cookie(&headers(&[(header::COOKIE, &format!("a=b; {pair}"))])), Ok(()));
        assert_eq!(guard.check_cookie(&headers(&[(header::COOKIE, "wolverine-8080=00")])), Err(Refusal::Stranger));
        assert_eq!(guard.check_cookie(&headers(&[])), Err(Refusal::Stranger));
    }

    #[test]
    fn a_new_address_replaces_the_old_one() {
        let guard = Guard::new(8080).expect("random numbers");
        let old = token(&guard);
        guard.new_address();
        assert_eq!(guard.admit(&old), Err(Refusal::Token));
        assert!(guard.admit(&token(&guard)).is_ok());
    }

    #[test]
    fn other_hosts_and_origins_are_refused() {
        let guard = Guard::new(8080).expect("random numbers");
        for (host, expected) in [
            ("127.0.0.1:8080", Ok(())),
            ("localhost:8080", Ok(())),
            ("127.0.0.1", Err(Refusal::Host)),
            ("evil.example:8080", Err(Refusal::Host)),
            ("127.0.0.1:8081", Err(Refusal::Host)),
        ] {
            assert_eq!(guard.check_host(&headers(&[(header::HOST, host)])), expected, "{host}");
        }
        for (origin, expected) in [
            ("http://127.0.0.1:8080", Ok(())),
            ("https://127.0.0.1:8080", Err(Refusal::Origin)),
            ("http://127.0.0.1:8080.evil.example", Err(Refusal::Origin)),
            ("null", Err(Refusal::Origin)),
        ] {
            assert_eq!(guard.check_origin(&headers(&[(header::ORIGIN, origin)])), expected, "{origin}");
        }
        assert_eq!(guard.check_origin(&headers(&[])), Err(Refusal::Origin));
    }
}
