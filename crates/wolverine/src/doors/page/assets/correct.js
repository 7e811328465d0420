// Correcting the picture: arrows are dragged, numbers typed, edges tracked.
// Every correction is a command of the session, as if it had been typed.

import { run, send } from "./connection.js";
import { paths } from "./curve.js";
import { byId, svg } from "./dom.js";

const stage = byId("stage");
const memory = byId("memory");
const dock = byId("dock");
const editor = byId("editor");

/** Makes the picture correctable. */
export function makeCorrectable(view, overlay) {
  memory.addEventListener("pointerdown", (event) => begin(event, view, overlay));
  memory.addEventListener("keydown", keys);
  editor.addEventListener("submit", submit);
  editor.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeEditor(true);
    event.stopPropagation();
  });
  editor.querySelector(".track").addEventListener("click", () => {
    toggle(editor.entity, editor.isUntracked);
    closeEditor(true);
  });
  stage.addEventListener("pointerdown", (event) => event.target.closest("#editor") || closeEditor(false));
}

/** A press becomes a drag if the pointer moves, and otherwise a click. */
function begin(event, view, overlay) {
  if (event.button !== 0) return;
  const held = event.target.closest("[data-entity], [data-folded]");
  if (!held || !(held.dataset.entity || held.dataset.folded)) return;
  event.preventDefault();
  memory.focus({ preventScroll: true });
  const start = [event.clientX, event.clientY];
  const canDrag = held.hasAttribute("data-drag");
  let drag = null;
  const move = (event) => {
    if (!drag && canDrag && Math.hypot(event.clientX - start[0], event.clientY - start[1]) > 4) drag = new Drag(held, view, overlay);
    drag?.move(event);
  };
  const end = (event) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", escape, true);
    if (drag) drag.drop(event);
    else if (event.type === "pointerup") click(held);
  };
  const cancel = (event) => {
    drag?.stop();
    drag = null;
    end(event);
  };
  const escape = (event) => event.key === "Escape" && cancel(event);
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", cancel);
  addEventListener("keydown", escape, true);
}

function click(held) {
  if (held.dataset.folded) return send({ do: "fold", lists: { allbut: Number(held.dataset.node.slice(1)) } });
  if (held.classList.contains("edge")) return toggle(held.dataset.entity, held.classList.contains("untracked"));
  openEditor(held);
}

function toggle(entity, isUntracked) {
  run(`${isUntracked ? "track" : "untrack"} ${entity}`);
}

/** An arrow that follows the pointer. */
class Drag {
  #entity;
  #from;
  #view;
  #arrow;
  #target = null;

  constructor(held, view, overlay) {
    this.#entity = held.dataset.entity;
    this.#view = view;
    this.#from = origin(held);
    this.#arrow = overlay.appendChild(svg("g", { class: "edge dragged" }, svg("path", { class: "line" }), svg("path", { class: "head" })));
    stage.classList.add("dragging");
    dock.hidden = false;
  }

  move(event) {
    const to = this.#view.toPicture(event);
    const drawn = paths({ points: [...(this.#from ?? to), ...to], curved: false });
    this.#arrow.querySelector(".line").setAttribute("d", drawn.line);
    this.#arrow.querySelector(".head").setAttribute("d", drawn.head);
    this.#aim(document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-target], #dock"));
  }

  #aim(element) {
    this.#target?.classList.remove("aimed");
    this.#target = element ?? null;
    this.#target?.classList.add("aimed");
  }

  drop() {
    const target = this.#target;
    this.stop();
    if (target) run(`change ${this.#entity} ${target === dock ? "null" : target.dataset.target}`);
  }

  stop() {
    this.#aim(null);
    this.#arrow.remove();
    stage.classList.remove("dragging");
    dock.hidden = true;
  }
}

/** Where the arrow of what is held starts. */
function origin(held) {
  const owner = held.closest("[transform]");
  const at = owner?.getAttribute("transform")?.match(/translate\(([-\d.]+) ([-\d.]+)\)/);
  if (held.dataset.dot && at) {
    const [x, y] = held.dataset.dot.split(" ").map(Number);
    return [x + Number(at[1]), y + Number(at[2])];
  }
  const start = held.querySelector(".line")?.getAttribute("d").match(/^M([-\d.]+) ([-\d.]+)/);
  return start ? [Number(start[1]), Number(start[2])] : null;
}

/** Asks for a new value right there. */
function openEditor(held) {
  const at = held.getBoundingClientRect();
  const frame = stage.getBoundingClientRect();
  editor.entity = held.dataset.entity;
  editor.isUntracked = held.classList.contains("untracked");
  editor.querySelector("span").textContent = editor.entity;
  editor.querySelector(".track").textContent = editor.isUntracked ? "Assert it too" : "Do not assert it";
  editor.hidden = false;
  editor.style.left = `${Math.max(4, Math.min(at.left - frame.left, frame.width - editor.offsetWidth - 4))}px`;
  editor.style.top = `${Math.max(4, Math.min(at.bottom - frame.top + 6, frame.height - editor.offsetHeight - 4))}px`;
  const input = editor.querySelector("input");
  input.value = held.dataset.value === "?" ? "" : held.dataset.value ?? "";
  input.focus();
  input.select();
}

function closeEditor(goBack) {
  if (editor.hidden) return;
  editor.hidden = true;
  if (goBack) memory.focus({ preventScroll: true });
}

function submit(event) {
  event.preventDefault();
  const value = editor.querySelector("input").value.trim();
  closeEditor(true);
  if (value !== "") run(`change ${editor.entity} ${value}`);
}

/** The arrow keys go from value to value. */
function keys(event) {
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  const values = [...memory.querySelectorAll("[data-edit], .flag")].filter((value) => value.dataset.entity);
  const here = values.findIndex((value) => value.classList.contains("cursor"));
  if (event.key in steps && values.length > 0) {
    event.preventDefault();
    values[here]?.classList.remove("cursor");
    const next = values[(here + steps[event.key] + values.length) % values.length] ?? values[0];
    next.classList.add("cursor");
    memory.setAttribute("aria-description", `${next.dataset.entity} ${next.dataset.value ?? ""}`);
  } else if (event.key === "Enter" && here >= 0) {
    event.preventDefault();
    openEditor(values[here]);
  } else if (event.key === "t" && here >= 0) {
    toggle(values[here].dataset.entity, values[here].classList.contains("untracked"));
  } else {
    return;
  }
  event.stopPropagation();
}
