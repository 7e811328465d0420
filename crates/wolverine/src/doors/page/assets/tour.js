// A guided tour through the shipped program.

import { beforePaint, byId, el } from "./dom.js";

/** Each step: what it points at, what it says, and how to see that it was done. */
const STEPS = [
  {
    at: "#do-start",
    text: "This program should reverse a list, and does not. Start it.",
    isDone: ({ position }) => Boolean(position),
  },
  {
    at: "#do-next",
    text: "Next runs a statement. Push four nodes (four times Next, or the key n) and watch the list grow.",
    isDone: ({ position }) => position?.text.startsWith("reverse") || position?.function === "reverse",
  },
  {
    at: "#do-step",
    text: "Step goes into reverse(); then Next, until the program stands before its while.",
    isDone: ({ position }) => position?.function === "reverse" && position.isCondition,
  },
  {
    at: "#do-expect",
    text: "Up to here all is well: the list is as it was, current is at its front. Say so.",
    isDone: ({ checkpoints }) => checkpoints.length > 0,
  },
  {
    at: "#do-enter",
    text: "The loop should run now, but its condition says no. Enter it anyway, and run its five statements.",
    isDone: ({ moments, position }) => moments.some((moment) => moment.how === "enter") && position?.isCondition,
  },
  {
    at: "#stage",
    text: "One round should have turned n4 around: drag its prev to n3, and drag current to n3 (it is null: pull its row).",
    isDone: ({ picture }) => points(picture?.arrows, "n4.prev", "n3") && points(picture?.flags, "current", "n3"),
  },
  {
    at: "#do-expect",
    text: "Now the picture is right. Say that this is what you expect.",
    isDone: ({ checkpoints }) => checkpoints.length > 1,
  },
  {
    at: "#do-repair",
    text: "Repair looks for the smallest change of the program that leads to your pictures. Localize shows where the fault can be.",
    isDone: ({ repairs }) => repairs !== null,
  },
  {
    at: "#repairs",
    text: "The patch is live: the line in the source is replaced as you see, and the next round needs no correction. Go on (Enter, Next), leave the loop when the list is turned, drag head to n1, and repair again. Then download the fixed file.",
    isDone: () => false,
  },
];

function points(edges, entity, to) {
  return edges?.some((edge) => edge.entity === entity && edge.to === to) ?? false;
}

let step = 0;
let isOn = false;

/** Begins the tour, or goes on after a reload. */
export function startTour() {
  isOn = sessionStorage.getItem("tour") !== "over";
}

/** Goes on once a step was done. */
export function showTour(model) {
  if (!isOn) return;
  while (step < STEPS.length - 1 && STEPS[step].isDone(model)) step += 1;
  draw();
}

function end() {
  isOn = false;
  sessionStorage.setItem("tour", "over");
  byId("tour").hidden = true;
  for (const old of document.querySelectorAll(".toured")) old.classList.remove("toured");
}

function draw() {
  const box = byId("tour");
  const { at, text } = STEPS[step];
  const target = document.querySelector(at);
  for (const old of document.querySelectorAll(".toured")) old.classList.remove("toured");
  target.classList.add("toured");
  box.replaceChildren(
    el("p", {}, text),
    el("p", { class: "actions" }, el("span", { class: "note" }, `${step + 1} of ${STEPS.length}`), el("button", { type: "button", onclick: end }, "End the tour")),
  );
  box.hidden = false;
  beforePaint(() => place(box, target.getBoundingClientRect()));
}

function place(box, { left, right, top, bottom }) {
  const isLarge = bottom - top > 200;
  const x = isLarge ? (left > innerWidth / 2 ? left - box.offsetWidth - 12 : right - box.offsetWidth - 12) : left;
  const y = isLarge ? bottom - box.offsetHeight - 12 : bottom + 10;
  box.style.left = `${Math.max(8, Math.min(x, innerWidth - box.offsetWidth - 8))}px`;
  box.style.top = `${Math.max(8, Math.min(y, innerHeight - box.offsetHeight - 8))}px`;
}
