// The buttons with their keys.

import { run, send } from "./connection.js";
import { byId, el, isTyping } from "./dom.js";
import { expect } from "./expect.js";

/** Each button: its text, its key, what it does, and whether it can. */
const BUTTONS = [
  { text: "Start", key: "g", does: "start", title: "start the program, from its beginning", can: () => true },
  { text: "Next", key: "n", does: "next", title: "run this statement", can: runs },
  { text: "Step", key: "s", does: "step", title: "into the called function", can: runs },
  { text: "Finish", key: "f", does: "finish", title: "until this call has returned", can: (at) => runs(at) && at.depth > 1 },
  { text: "Continue", key: "c", does: "continue", title: "to the next breakpoint or the end", can: runs },
  { text: "Back", key: "b", does: "back", title: "to the statement before", can: (at) => at !== null },
  null,
  { text: "Enter", key: "e", does: "enter", title: "force the next loop to be entered, or the if to be taken", can: runs },
  { text: "Leave", key: "l", does: "leave", title: "force the next loop to be left, or the if to be passed", can: runs },
  { text: "Flip", key: "x", does: "flip", title: "go the other way than the next condition says", can: runs },
  null,
  { text: "Undo", key: "u", does: "undo", title: "take back the last command", can: (at, model) => Boolean(model.undo) },
  null,
  { text: "This is what I expect", key: "a", does: expect, title: "assert the picture as it is now", can: runs, kind: "expect" },
  { text: "Localize", key: "o", does: "localize", title: "which statements can be at fault?", can: asserts },
  { text: "Repair", key: "r", does: "repair", title: "find the smallest change that makes the program do what you drew", can: (at, model) => runs(at) && asserts(at, model), kind: "repair" },
];

function runs(at) {
  return at !== null && (at.status === "stopped" || at.status === "interrupted");
}

function asserts(at, model) {
  return at !== null && model.checkpoints.length > 0;
}

let buttons = [];

/** Makes the buttons and listens to their keys. */
export function makeButtons(view) {
  buttons = BUTTONS.filter(Boolean).map((button) => ({ ...button, element: make(button) }));
  const groups = [[]];
  let next = 0;
  for (const button of BUTTONS) button ? groups.at(-1).push(buttons[next++].element) : groups.push([]);
  byId("buttons").append(...groups.map((group) => el("span", { class: "group" }, group)));
  byId("stop").addEventListener("click", stop);
  addEventListener("keydown", (event) => press(event, view));
}

function make(button) {
  const act = () => (typeof button.does === "string" ? run(button.does) : button.does());
  const name = typeof button.does === "string" ? button.does : "expect";
  return el("button", { type: "button", id: `do-${name}`, class: button.kind, title: `${button.title} (${button.key})`, onclick: act, disabled: true }, button.text, " ", el("kbd", {}, button.key));
}

function stop() {
  send({ do: "stop" });
}

function press(event, view) {
  if (event.key === "Escape" && !byId("stop").hidden) return stop();
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  const button = buttons.find((button) => button.key === event.key);
  const others = { "+": () => view.zoom(1.25), "-": () => view.zoom(0.8), 0: () => view.fit(), "/": () => byId("line").focus(), ":": () => byId("line").focus() };
  if (button && !button.element.disabled) button.element.click();
  else if (event.key in others) others[event.key]();
  else return;
  event.preventDefault();
}

/** Shows which buttons can be pressed. */
export function showButtons(model) {
  const at = model.position ?? null;
  for (const button of buttons) button.element.disabled = !button.can(at, model);
  const undo = byId("do-undo");
  undo.title = model.undo ? `take back \`${model.undo}\` (u)` : "there is nothing to take back";
}

let patience = null;

/** Shows that something takes long. */
export function showBusy(busy) {
  clearTimeout(patience);
  const words = busy ? busy.progress || `running ${busy.command}` : "";
  byId("busy").querySelector(".text").textContent = words;
  document.body.toggleAttribute("data-busy", Boolean(busy));
  const show = (is) => {
    byId("busy").hidden = !is;
    byId("stop").hidden = !is;
  };
  // What is over at once needs no sign.
  if (busy) patience = setTimeout(() => show(true), 150);
  else show(false);
}
