// "This is what I expect": shows what will be asserted before it is, and the
// tree of what was.

import { on, run, send } from "./connection.js";
import { byId, el } from "./dom.js";

const FEW = 14;
const dialog = byId("expect");
let model = null;

/** Asks what `spec` would assert; the answer opens the dialog. */
export function expect() {
  send({ do: "expect" });
}

export function makeExpectations(shared) {
  model = shared;
  on("expectation", ask);
}

function ask(expectation) {
  const { facts, corrected, leftOut, forced } = expectation;
  const fact = (text, index) => el("li", { class: index < corrected ? "mine" : null }, el("code", {}, text));
  const count = facts.length <= FEW + 4 ? facts.length : Math.max(FEW, corrected);
  const [few, more] = [facts.slice(0, count), facts.slice(count)];
  const place = model.position?.line ? ` before line ${model.position.line}` : "";
  dialog.replaceChildren(
    el(
      "form",
      { method: "dialog" },
      el("h3", {}, `This is what you expect${place}`),
      facts.length === 0 && el("p", {}, "Nothing here is tracked, so there is nothing to assert."),
      el("ul", { class: "facts" }, few.map(fact)),
      more.length > 0 && el("details", {}, el("summary", {}, `and ${more.length} more`), el("ul", { class: "facts" }, more.map((text) => fact(text, Infinity)))),
      forced.length > 0 && el("p", { class: "note" }, "Forced on the way, and asserted too: ", forced.join("; ")),
      leftOut.length > 0 && el("p", { class: "note" }, "Not asserted (dotted in the picture): ", leftOut.join(", ")),
      el("p", { class: "actions" }, el("button", { value: "no" }, "Cancel"), el("button", { value: "yes", class: "main", autofocus: true, disabled: facts.length === 0 }, "Assert this")),
    ),
  );
  dialog.returnValue = "";
  dialog.onclose = () => dialog.returnValue === "yes" && run("spec");
  dialog.showModal();
}

/** The tree of checkpoints. */
export function showCheckpoints(checkpoints) {
  const body = byId("expectations").querySelector(".body");
  if (checkpoints.length === 0) {
    body.replaceChildren(el("p", { class: "hint" }, "Walk to a place where you know how the memory should look. Correct the picture if it is wrong, then press ", el("b", {}, "This is what I expect"), "."));
    return;
  }
  const below = (parent) => {
    const children = checkpoints.filter((point) => point.parent === parent);
    // Only where ways part, the tree goes to the right.
    return children.length > 0 && el("ul", { class: children.length > 1 ? "tree fork" : "tree" }, children.map((point) => el("li", {}, makeCheckpoint(point), below(point.number))));
  };
  body.replaceChildren(below(null));
}

function makeCheckpoint(point) {
  const count = point.facts.length === 1 ? point.facts[0] : `${point.facts.length} facts`;
  return el(
    "button",
    {
      type: "button",
      class: `checkpoint ${point.onTheWay ? "on-the-way" : ""} ${point.isHere ? "here" : ""}`,
      title: `go to checkpoint ${point.number}\n${point.facts.slice(0, 24).join("\n")}`,
      onclick: () => run(`resume ${point.number}`),
    },
    el("span", { class: "badge" }, String(point.number)),
    el("span", { class: "what" }, el("code", {}, point.text), el("span", { class: "count" }, `${point.line ? `line ${point.line} · ` : ""}${count}`)),
  );
}
