// The page: shows what the session tells, and sends what the user does as commands.
// It knows nothing of C, of heaps or of repairs.

import { connect, on, send } from "./connection.js";
import { makeConsole, showLog } from "./console.js";
import { makeCorrectable } from "./correct.js";
import { byId, el, svg } from "./dom.js";
import { makeExpectations, showCheckpoints } from "./expect.js";
import { makeTimeline, settleTimeline, showMoments } from "./moments.js";
import { Memory } from "./picture.js";
import { makeProgram, showStreams } from "./program.js";
import { showRepairs } from "./repairs.js";
import { makeButtons, showBusy, showButtons } from "./run.js";
import { showBreakpoints, showLive, showPosition, showProgram, showSuspects } from "./source.js";
import { showTour, startTour } from "./tour.js";
import { View } from "./view.js";

/** All that the session has told. */
const model = { program: null, position: null, picture: null, folding: null, calls: [], breakpoints: [], moments: [], checkpoints: [], suspects: [], live: [], repairs: null, streams: null, undo: null, busy: null };

const world = byId("memory").appendChild(svg("g", { class: "world" }));
const memory = new Memory(world);
const view = new View(world);

makeButtons(view);
makeConsole();
makeTimeline();
makeProgram();
makeExpectations(model);
makeCorrectable(view, world.appendChild(svg("g")));

/** What each section is shown by. */
const SHOWN = {
  program: (program) => {
    showProgram(program);
    if (program.tour) startTour();
  },
  position: showPlace,
  picture: showPicture,
  folding: showFolding,
  calls: showCalls,
  breakpoints: showBreakpoints,
  moments: showMoments,
  checkpoints: showCheckpoints,
  suspects: showSuspects,
  live: showLive,
  repairs: showRepairs,
  streams: showStreams,
  busy: showBusy,
};

on("all", (message) => update(message, true));
on("update", (message) => update(message, false));

function update(message, isAll) {
  for (const name of Object.keys(model)) if (name in message) model[name] = message[name];
  for (const [name, show] of Object.entries(SHOWN)) if (name in message) show(message[name]);
  showLog(message.log, isAll);
  showButtons(model);
  // What is said while something runs is about what was before.
  if (model.busy) return;
  settleTimeline();
  showTour(model);
}

function showPlace(position) {
  showPosition(position);
  const fault = byId("fault");
  const isWorth = position && (position.status === "crashed" || position.status === "ended" || position.status === "interrupted");
  fault.hidden = !isWorth;
  fault.className = position?.status ?? "";
  fault.textContent = isWorth ? position.told : "";
}

function showPicture(drawing) {
  const isEmpty = !drawing || drawing.boxes.length + drawing.flags.length + drawing.tables.length === 0;
  byId("nothing").replaceChildren(isEmpty ? (model.position ? "no variables and no heap here" : el("span", {}, "Press ", el("kbd", {}, "g"), " or Start to run the program.")) : "");
  const shown = drawing ?? { boxes: [], arrows: [], flags: [], tables: [], areas: [] };
  memory.show(shown, isEmpty ? [] : view.follow(shown.view));
}

function showCalls(calls) {
  byId("calls").textContent = calls.map((call) => `${call.function}()`).join(" › ");
}

/** Lists can be unfolded while some are folded, and folded while some are not. */
function showFolding(folding) {
  byId("fold").hidden = !folding.folded && !folding.unfolded;
  byId("fold").textContent = folding.folded ? "Unfold lists" : "Fold lists";
  byId("fold").onclick = () => send({ do: "fold", lists: folding.folded ? "nothing" : "all" });
}

connect();
