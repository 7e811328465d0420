//! The server: the page's files, the connection, and what can be downloaded.

use std::net::TcpListener;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::unbounded_channel;

use super::assets;
use super::guard::{Guard, Refusal};
use super::host::Ask;
use super::hub::Hub;
use super::wire;

/// A page says no more than this at once.
const LONGEST_MESSAGE: usize = 64 * 1024;

#[derive(Clone)]
struct Shared {
    guard: Arc<Guard>,
    hub: Arc<Hub>,
}

/// Starts the server on threads of its own. Ctrl-C and the other signals that
/// end a process end the session.
pub(super) fn start(listener: TcpListener, guard: Arc<Guard>, hub: Arc<Hub>) -> Result<(), String> {
    let cannot = |error: std::io::Error| format!("cannot start the server: {error}");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(cannot)?;
    let (listener, ends) = {
        let _inside = runtime.enter();
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let ends: Vec<_> = kinds.into_iter().map(signal).collect::<Result<_, _>>().map_err(cannot)?;
        (tokio::net::TcpListener::from_std(listener).map_err(cannot)?, ends)
    };
    for mut end in ends {
        let hub = hub.clone();
        runtime.spawn(async move {
            // A command forgets earlier interrupts when it begins, so one that
            // begins just now must be stopped again.
            while end.recv().await.is_some() {
                loop {
                    hub.end();
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                }
            }
        });
    }
    let routes = router(Shared { guard, hub });
    // Small messages must not wait for each other: that would cost 40 ms each time.
    let listener = listener.tap_io(|stream| _ = stream.set_nodelay(true));
    std::thread::spawn(move || runtime.block_on(async { axum::serve(listener, routes).await }));
    Ok(())
}

fn router(shared: Shared) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/assets/{name}", get(asset))
        .route("/download/{what}", get(download))
        .route("/socket", get(socket))
        .fallback(|| async { refuse(StatusCode::NOT_FOUND, "There is nothing here.") })
        .layer(middleware::from_fn_with_state(shared.clone(), guarded))
        .with_state(shared)
}

/// Looks at every request before anything else does, and says to the browser
/// what the page may do: nothing but talk to us.
async fn guarded(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let mut response = match check(&shared.guard, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refuse(StatusCode::FORBIDDEN, refusal.sentence()),
    };
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                              connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

fn check(guard: &Guard, request: &Request) -> Result<(), Refusal> {
    guard.check_host(request.headers())?;
    let is_entrance = request.uri().path() == "/" && request.uri().query().is_some();
    if is_entrance { Ok(()) } else { guard.check_cookie(request.headers()) }
}

fn refuse(status: StatusCode, sentence: &str) -> Response {
    let text =
        format!("<!doctype html><html lang=en><meta charset=utf-8><title>Wolverine</title><p>{sentence}</p></html>\n");
    (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
}

/// The page itself, or what lets a browser in.
async fn index(State(shared): State<Shared>, uri: Uri, headers: HeaderMap) -> Response {
    let Some(query) = uri.query() else { return file("index.html") };
    let token = query.split('&').find_map(|part| part.strip_prefix("token=")).unwrap_or_default();
    match shared.guard.admit(token) {
        // The token is gone from the address at once.
        Ok(cookie) => {
            (StatusCode::SEE_OTHER, [(header::SET_COOKIE, cookie), (header::LOCATION, "/".into())]).into_response()
        }
        Err(refusal) => match shared.guard.check_cookie(&headers) {
            Ok(()) => (StatusCode::SEE_OTHER, [(header::LOCATION, "/")]).into_response(),
            Err(_) => refuse(StatusCode::FORBIDDEN, refusal.sentence()),
        },
    }
}

async fn asset(Path(name): Path<String>) -> Response {
    file(&name)
}

fn file(name: &str) -> Response {
    match assets::find(name) {
        Some((kind, bytes)) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        None => refuse(StatusCode::NOT_FOUND, "There is no such file."),
    }
}

/// The repaired file, its diff, or the session as a script.
async fn download(State(shared): State<Shared>, Path(what): Path<String>) -> Response {
    let files = shared.hub.files();
    let (name, bytes) = match (what.as_str(), files.repaired) {
        ("fixed", Some((text, _))) => (format!("{}.fixed.c", files.stem), text),
        ("diff", Some((_, diff))) => (format!("{}.diff", files.stem), diff),
        ("script", _) => (format!("{}.script", files.stem), files.script.into_bytes()),
        ("fixed" | "diff", None) => return refuse(StatusCode::NOT_FOUND, "There is no repair yet."),
        _ => return refuse(StatusCode::NOT_FOUND, "There is no such file."),
    };
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect();
    let disposition = format!("attachment; filename=\"{plain}\"");
    let headers =
        [(header::CONTENT_TYPE, "text/x-c; charset=utf-8".into()), (header::CONTENT_DISPOSITION, disposition)];
    (headers, Body::from(bytes)).into_response()
}

async fn socket(State(shared): State<Shared>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    if let Err(refusal) = shared.guard.check_origin(&headers) {
        return refuse(StatusCode::FORBIDDEN, refusal.sentence());
    }
    let upgrade = upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE);
    upgrade.on_upgrade(|socket| talk(shared.hub, socket))
}

/// Carries messages until one side has enough.
async fn talk(hub: Arc<Hub>, mut socket: WebSocket) {
    let (messages, mut outbox) = unbounded_channel();
    let number = hub.connect(messages);
    loop {
        tokio::select! {
            message = outbox.recv() => match message {
                // Another page has taken over.
                None => break,
                Some(text) => if socket.send(Message::Text(text.into())).await.is_err() { break },
            },
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => if let Err(sentence) = take(&hub, &text) {
                    hub.tell(wire::refused(&sentence));
                },
                Some(Ok(Message::Binary(_))) => hub.tell(wire::refused("a message must be text")),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
            },
        }
    }
    hub.disconnect(number);
}

fn take(hub: &Hub, text: &str) -> Result<(), String> {
    let asked = match wire::parse(text)? {
        wire::Request::Stop {} => {
            hub.stop();
            true
        }
        wire::Request::Run { line } => hub.ask(|turn| Ask::Run { turn, line }),
        wire::Request::Complete { line, at } => hub.ask(|turn| Ask::Complete { turn, line, at }),
        wire::Request::Expect {} => hub.ask(|turn| Ask::Expect { turn }),
        wire::Request::Fold { lists } => hub.ask(|turn| Ask::Fold { turn, fold: lists }),
    };
    if asked { Ok(()) } else { Err("too many commands are waiting; stop the one that runs first".into()) }
}
