// The source: colours, the present line, breakpoints, suspicious places, live patches.

import { run } from "./connection.js";
import { beforePaint, byId, el, tip } from "./dom.js";
import { highlight } from "./highlight.js";

const TAB = "    ";
let lines = [];

/** Shows the program. */
export function showProgram(program) {
  document.title = `${program.file} – Wolverine`;
  byId("file").textContent = program.file;
  byId("file").title = `run by ${program.engine}`;
  const canStop = new Set(program.lines);
  const text = program.text.replace(/\n$/, "").replaceAll("\r", "");
  lines = highlight(text).map((pieces, index) => makeLine(pieces, index + 1, canStop.has(index + 1)));
  byId("lines").replaceChildren(...lines.map((line) => line.element));
}

function makeLine(pieces, number, canStop) {
  const code = el("code", {}, pieces.map(([kind, text]) => (kind ? el("span", { class: `c-${kind}` }, text.replaceAll("\t", TAB)) : text.replaceAll("\t", TAB))));
  const gutter = el("button", {
    type: "button",
    class: "gutter",
    tabindex: -1,
    disabled: !canStop,
    "aria-label": `Breakpoint at line ${number}`,
    onclick: () => toggleBreakpoint(number),
  });
  const line = {
    number,
    reasons: "",
    tabs: (pieces.map(([, text]) => text).join("").match(/^\t*/) ?? [""])[0].length,
    element: el("div", { class: "line", "data-line": number }, gutter, el("span", { class: "number" }, String(number)), code),
  };
  tip(line.element, () => line.reasons);
  return line;
}

let breakpoints = [];

function toggleBreakpoint(number) {
  const known = breakpoints.find((point) => point.lines.includes(number));
  run(known ? `delete ${known.number}` : `break ${number}`);
}

/** Shows breakpoints. */
export function showBreakpoints(points) {
  breakpoints = points;
  for (const line of lines) {
    const point = points.find((point) => point.lines.includes(line.number));
    line.element.classList.toggle("breakpoint", point !== undefined);
    line.element.classList.toggle("conditional", Boolean(point?.condition));
    line.element.querySelector(".gutter").title = point ? `breakpoint ${point.number}${point.condition ? ` if ${point.condition}` : ""}` : "";
  }
}

/** Marks the present statement. */
export function showPosition(position) {
  byId("where").textContent = position?.function ? `${position.function}()${position.line ? `, line ${position.line}` : ""}` : "";
  for (const line of lines) {
    const isHere = line.number === position?.line;
    line.element.classList.toggle("here", isHere);
    line.element.classList.toggle("crashed", isHere && position.status === "crashed");
    line.element.querySelector(".mark")?.remove();
    if (isHere) line.element.setAttribute("aria-current", "step");
    else line.element.removeAttribute("aria-current");
    if (isHere && position.mark) line.element.append(makeMark(position.mark, line.tabs));
  }
  const here = lines[position?.line - 1]?.element;
  if (here) beforePaint(() => reveal(here));
}

function makeMark({ from, to }, tabs) {
  const mark = el("span", { class: "mark" });
  mark.style.setProperty("--from", from + Math.min(from, tabs) * (TAB.length - 1));
  mark.style.setProperty("--length", to - from);
  return mark;
}

/** Scrolls a line to where it can be read, and not at all if it can be already. */
function reveal(element) {
  const pane = byId("lines");
  const [top, bottom] = [element.offsetTop - pane.offsetTop, element.offsetTop - pane.offsetTop + element.offsetHeight];
  const room = 3 * element.offsetHeight;
  if (top - room < pane.scrollTop || bottom + room > pane.scrollTop + pane.clientHeight) {
    pane.scrollTop = top - pane.clientHeight / 2;
  }
}

/** Shades suspicious places by their rank. */
export function showSuspects(suspects) {
  const of = suspects.length;
  for (const line of lines) {
    const found = suspects.filter((suspect) => suspect.line === line.number);
    const best = found[0];
    line.element.classList.toggle("suspect", best !== undefined);
    line.element.classList.toggle("together", best !== undefined && !best.alone);
    line.element.style.setProperty("--doubt", best ? String(1 - best.rank / Math.max(of, 1)) : "0");
    if (best) line.element.dataset.rank = best.rank + 1;
    else delete line.element.dataset.rank;
    line.reasons = found.flatMap(explain).join("\n");
  }
}

function explain(suspect) {
  const what = suspect.missing ? "a statement may be missing before this line" : "suspicious";
  const reach = suspect.alone ? "a change here alone could meet all that is expected" : "together with others, a change here could be part of a repair";
  return [`${suspect.rank + 1}. ${what}: ${reach}`, ...suspect.reasons.map((reason) => `    ${reason}`)];
}

/** Shows what runs instead of what is written. */
export function showLive(changes) {
  for (const added of byId("lines").querySelectorAll(".added")) added.remove();
  const gone = new Set(changes.filter((change) => !change.added).map((change) => change.number));
  for (const line of lines) line.element.classList.toggle("removed", gone.has(line.number));
  for (const change of changes.filter((change) => change.added)) {
    const code = el("code", {}, highlight(change.text)[0].map(([kind, text]) => (kind ? el("span", { class: `c-${kind}` }, text) : text)));
    const row = el("div", { class: "line added", title: "runs here, as a live patch" }, el("span", { class: "gutter" }), el("span", { class: "number" }, "+"), code);
    const next = lines[change.before - 1]?.element;
    if (next) next.before(row);
    else byId("lines").append(row);
  }
}
