// The time line: every moment of the run, to go back and forth in.

import { run } from "./connection.js";
import { byId, el } from "./dom.js";

const scrub = byId("scrub");
const ticks = byId("ticks");
const label = byId("moment");
let moments = [];
let asked = null;
let isWaiting = false;

export function makeTimeline() {
  scrub.addEventListener("input", () => go(moments[Number(scrub.value)]));
}

/** Goes to a moment; while the session is on its way, only the last wish counts. */
function go(moment) {
  if (!moment) return;
  describe(moment);
  asked = moment.number;
  if (!isWaiting) ask();
}

function ask() {
  isWaiting = run(`goto ${asked}`);
  asked = null;
}

/** Shows the moments. */
export function showMoments(shown) {
  moments = shown;
  const here = moments.findIndex((moment) => moment.isHere);
  scrub.disabled = moments.length < 2;
  scrub.max = String(Math.max(0, moments.length - 1));
  ticks.replaceChildren(...moments.map((moment, index) => makeTick(moment, index > here)));
  if (asked !== null) return;
  scrub.value = String(Math.max(0, here));
  scrub.setAttribute("aria-valuetext", moments[here] ? text(moments[here]) : "not started");
  describe(moments[here]);
}

/** The session has answered: if another moment is wished for meanwhile, it goes there. */
export function settleTimeline() {
  isWaiting = false;
  if (asked !== null) ask();
}

function makeTick(moment, isAhead) {
  const kinds = [moment.isCrash && "crash", moment.isPatch && "patch", moment.how.startsWith("change") && "change", isAhead && "ahead", moment.isHere && "here"];
  const flag = moment.checkpoints.length > 0 && el("span", { class: "flagged" }, String(moment.checkpoints.at(-1)));
  return el("span", { class: `tick ${kinds.filter(Boolean).join(" ")}`, title: text(moment) }, flag);
}

function text(moment) {
  return `${moment.how} → ${moment.line ? `line ${moment.line}: ` : ""}${moment.text}`;
}

function describe(moment) {
  label.textContent = moment ? text(moment) : "not started";
  label.title = label.textContent;
}
