// The command line: every command of the debugger, with history and completion.

import { on, run, send } from "./connection.js";
import { beforePaint, byId, el } from "./dom.js";

const log = byId("log");
const line = byId("line");
const history = [];
let recalled = 0;
let offered = null;

export function makeConsole() {
  byId("prompt").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = line.value.trim();
    if (!run(text || "next")) return;
    if (text && history.at(-1) !== text) history.push(text);
    recalled = history.length;
    line.value = "";
  });
  line.addEventListener("keydown", (event) => {
    if (event.key === "ArrowUp") recall(-1, event);
    else if (event.key === "ArrowDown") recall(1, event);
    else if (event.key === "Tab" && !event.shiftKey && line.value) complete(event);
    else if (event.key === "Escape") line.blur();
    if (event.key !== "Tab") offered = null;
  });
  on("words", (message) => offer(message));
}

function recall(by, event) {
  event.preventDefault();
  recalled = Math.max(0, Math.min(history.length, recalled + by));
  line.value = history[recalled] ?? "";
}

function complete(event) {
  event.preventDefault();
  if (offered) return put(offered.next());
  // Places are counted in bytes there.
  const at = new TextEncoder().encode(line.value.slice(0, line.selectionStart)).length;
  send({ do: "complete", line: line.value, at });
}

/** The first word; further Tabs go on to the others. */
function offer({ start, words }) {
  if (words.length === 0) return;
  const bytes = new TextEncoder().encode(line.value);
  const before = new TextDecoder().decode(bytes.slice(0, start));
  const after = line.value.slice(line.selectionStart);
  let next = 0;
  offered = { next: () => [before + words[next % words.length], after, next++][0] + after };
  put(offered.next());
}

function put(text) {
  line.value = text;
}

/** Adds entries to the log; all of them anew if the page was loaded again. */
export function showLog(entries, isAll) {
  if (isAll) log.replaceChildren();
  if (entries.length === 0) return;
  log.append(...entries.map(makeEntry));
  while (log.childElementCount > 400) log.firstElementChild.remove();
  beforePaint(() => (log.scrollTop = log.scrollHeight));
}

function makeEntry(entry) {
  return el(
    "div",
    { class: "entry" },
    entry.command !== null && el("div", { class: "command" }, entry.command),
    entry.messages.map((message) => el("pre", {}, message)),
    entry.error !== null && el("pre", { class: "error" }, entry.error),
  );
}
