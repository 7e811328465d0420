// Where the picture is in its window: zoom and pan, by wheel, drag, buttons and keys.

import { byId } from "./dom.js";

const LEAST = 0.15;
const MOST = 3;

/** The smallest rectangle around two. */
function union([x, y, w, h], [u, v, s, t]) {
  const [left, top] = [Math.min(x, u), Math.min(y, v)];
  return [left, top, Math.max(x + w, u + s) - left, Math.max(y + h, v + t) - top];
}

export class View {
  #stage = byId("stage");
  #world;
  #now = { x: 0, y: 0, scale: 1 };
  #content = null;
  #shown = null;
  #isMine = false;
  #size = [800, 400];

  constructor(world) {
    this.#world = world;
    this.#stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.#stage.addEventListener("pointerdown", (event) => this.#pan(event));
    byId("larger").addEventListener("click", () => this.zoom(1.25));
    byId("smaller").addEventListener("click", () => this.zoom(0.8));
    byId("fit").addEventListener("click", () => this.fit());
    new ResizeObserver(([{ contentRect }]) => {
      this.#size = [contentRect.width, contentRect.height];
      if (!this.#isMine) this.#put(this.#fitting());
    }).observe(this.#stage);
  }

  /** The picture covers this now; the answer is how to get there. What was seen before stays in view, so that a
   *  table that comes and goes does not move everything else. */
  follow(content) {
    this.#shown = content;
    this.#content = this.#content ? union(this.#content, content) : content;
    if (this.#isMine) return [];
    const [from, to] = [this.#now, this.#fitting()];
    if (from.x === to.x && from.y === to.y && from.scale === to.scale) return [];
    const mix = (key, part) => from[key] + (to[key] - from[key]) * part;
    return [(part) => this.#put({ x: mix("x", part), y: mix("y", part), scale: mix("scale", part) })];
  }

  /** Shows all of the picture again. */
  fit() {
    this.#isMine = false;
    this.#content = this.#shown;
    this.#put(this.#fitting());
  }

  zoom(by, at = null) {
    const { x, y, scale } = this.#now;
    const [cx, cy] = at ?? this.#size.map((length) => length / 2);
    const next = Math.min(MOST, Math.max(LEAST, scale * by));
    this.#isMine = true;
    this.#put({ x: cx - ((cx - x) * next) / scale, y: cy - ((cy - y) * next) / scale, scale: next });
  }

  /** A point of the window as a point of the picture. */
  toPicture(event) {
    const { left, top } = this.#stage.getBoundingClientRect();
    const { x, y, scale } = this.#now;
    return [(event.clientX - left - x) / scale, (event.clientY - top - y) / scale];
  }

  #fitting() {
    const [x, y, w, h] = this.#content ?? [0, 0, 1, 1];
    const [width, height] = this.#size;
    // Small pictures are not blown up, and long ones stay readable: the rest is a pan away.
    const scale = Math.max(0.45, Math.min(1.15, width / w, height / h));
    const left = w * scale < width ? (width - w * scale) / 2 : 0;
    const top = h * scale < height ? Math.min((height - h * scale) / 2, height * 0.16) : 0;
    return { x: left - x * scale, y: top - y * scale, scale };
  }

  #put(view) {
    this.#now = view;
    this.#world.setAttribute("transform", `translate(${view.x.toFixed(2)} ${view.y.toFixed(2)}) scale(${view.scale.toFixed(4)})`);
  }

  #wheel(event) {
    event.preventDefault();
    const { left, top } = this.#stage.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), [event.clientX - left, event.clientY - top]);
  }

  /** The empty part of the stage can be dragged. */
  #pan(event) {
    if (event.button !== 0 || event.target.closest("[data-entity], [data-folded], #editor, #dock, #fault")) return;
    const start = { ...this.#now, clientX: event.clientX, clientY: event.clientY };
    const move = (event) => {
      const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
      if (!this.#isMine && Math.hypot(dx, dy) < 4) return;
      this.#isMine = true;
      this.#stage.classList.add("panning");
      this.#put({ x: start.x + dx, y: start.y + dy, scale: start.scale });
    };
    const end = () => {
      this.#stage.classList.remove("panning");
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }
}
