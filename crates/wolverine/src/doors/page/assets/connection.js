// The connection with the session. If it is lost, it is made again; all that
// the page shows comes anew then.

import { byId, el } from "./dom.js";

const handlers = new Map();
let socket = null;
let isOver = false;
let patience = 300;

/** Calls `handler` for every message of a type. */
export function on(type, handler) {
  handlers.set(type, handler);
}

/** Sends a request; false if nobody listens at the moment. */
export function send(request) {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(request));
  return true;
}

/** Runs a line of commands. */
export function run(line) {
  return send({ do: "run", line });
}

/** Connects. */
export function connect() {
  isOver = false;
  socket = new WebSocket(`ws://${location.host}/socket`);
  socket.addEventListener("open", () => {
    patience = 300;
    tell(null);
  });
  socket.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    handlers.get(message.type)?.(message);
  });
  socket.addEventListener("close", () => {
    if (isOver) return;
    tell("The connection is lost; trying again …");
    setTimeout(connect, patience);
    patience = Math.min(2 * patience, 5000);
  });
}

on("replaced", () => {
  isOver = true;
  tell("This session went on in another tab.", el("button", { type: "button", onclick: connect }, "Use it here"));
});

on("over", () => {
  isOver = true;
  tell("The session is over; gdb and the program have ended with it.");
});

on("refused", (message) => {
  tell(message.sentence, el("button", { type: "button", onclick: () => tell(null) }, "OK"));
});

function tell(text, ...more) {
  const banner = byId("banner");
  banner.hidden = text === null;
  banner.replaceChildren(text ?? "", ...more);
}
