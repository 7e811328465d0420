// What the program prints and reads.

import { run } from "./connection.js";
import { beforePaint, byId, el } from "./dom.js";

let output = "";

export function makeProgram() {
  const form = byId("input");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = form.querySelector("input");
    if (run(`input ${field.value}`)) field.value = "";
  });
  byId("right-output").addEventListener("click", () => run(`spec output ${quoted(output)}`));
}

function quoted(text) {
  const escapes = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t" };
  return `"${text.replace(/[\\"\n\t]/g, (character) => escapes[character])}"`;
}

/** Shows all that was printed up to here, and what was given to read. */
export function showStreams(streams) {
  output = streams.output;
  const read = streams.input.slice(0, streams.input.length - (streams.left ?? 0));
  const unread = streams.input.slice(read.length);
  const parts = [
    streams.isCut && el("span", { class: "hint" }, "… (only the end is shown)\n"),
    streams.output,
    streams.errors && el("span", { class: "errors", title: "standard error" }, streams.errors),
    streams.input && el("span", { class: "read", title: "what it was given to read" }, `\n‹ ${read.trimEnd()}`, unread && el("i", {}, ` ${unread.trimEnd()} (not read yet)`)),
  ];
  const shown = byId("output");
  shown.replaceChildren(...parts.filter(Boolean));
  if (!shown.textContent) shown.replaceChildren(el("span", { class: "hint" }, "nothing printed so far"));
  beforePaint(() => (shown.scrollTop = shown.scrollHeight));
  byId("input").hidden = !streams.reads;
  byId("right-output").hidden = streams.output === "" || streams.isCut;
}
