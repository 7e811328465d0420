// Draws a picture of the memory, and moves what has another place than before.
//
// While arrows move, all that look alike are one path: a browser draws one path
// of two hundred lines much faster than two hundred paths.

import { blend, paths } from "./curve.js";
import { set, svg } from "./dom.js";
import { Motion } from "./motion.js";

/** When more than this moves, nobody reads the small names meanwhile. */
const MANY = 100;

/** A picture that goes from state to state. */
export class Memory {
  #layers;
  #boxes = new Map();
  #arrows = new Map();
  #flags = new Map();
  #tables = new Map();
  #motion = new Motion();
  #areas = "[]";

  constructor(world) {
    const layer = (name) => world.appendChild(svg("g", { class: name }));
    this.#layers = { areas: layer("areas"), tables: layer("tables"), boxes: layer("boxes"), arrows: layer("arrows"), flags: layer("flags") };
  }

  /** Shows a drawing; `alsoMoving` are steps of what else moves with it. */
  show(drawing, alsoMoving = []) {
    this.#motion.finish();
    const steps = [...alsoMoving];
    const flights = new Map();
    if (this.#areas !== JSON.stringify(drawing.areas)) this.#layers.areas.replaceChildren(...drawing.areas.flatMap(drawArea));
    this.#areas = JSON.stringify(drawing.areas);
    keep(this.#boxes, drawing.boxes, (box) => box.name, (box, old) => this.#box(box, old, steps));
    keep(this.#tables, drawing.tables, (table) => table.title, (table, old) => this.#table(table, old, steps));
    keep(this.#arrows, drawing.arrows, (arrow) => arrow.key, (arrow, old) => this.#arrow(arrow, old, flights));
    keep(this.#flags, drawing.flags, (flag) => flag.entity, (flag, old) => this.#flag(flag, old, steps, flights));
    steps.push(...[...flights].map(([look, flight]) => this.#fly(look, flight)));
    if (steps.length > MANY) {
      this.#layers.boxes.classList.add("crowded");
      steps.push((part) => part === 1 && this.#layers.boxes.classList.remove("crowded"));
    }
    this.#motion.start(steps);
  }

  get isMoving() {
    return this.#motion.isMoving;
  }

  /** The step that moves arrows that look alike. */
  #fly(look, flight) {
    const [line, head] = [svg("path", { class: "line" }), svg("path", { class: "head" })];
    const group = this.#layers.arrows.appendChild(svg("g", { class: look }, line, head));
    for (const { element } of flight) element.classList.add("flying");
    return (part) => {
      if (part < 1) {
        const drawn = flight.map(({ on }) => on(part));
        line.setAttribute("d", drawn.map((arrow) => arrow.line).join(""));
        head.setAttribute("d", drawn.map((arrow) => arrow.head).join(""));
        return;
      }
      group.remove();
      for (const { element, land } of flight) {
        land();
        element.classList.remove("flying");
      }
    };
  }

  #box(box, old, steps) {
    const { at, ...rest } = box;
    const look = JSON.stringify(rest);
    const element = old?.element ?? this.#layers.boxes.appendChild(svg("g"));
    if (old?.look !== look) fillBox(element, box, !old);
    move(old?.at, at, ([x, y]) => element.setAttribute("transform", `translate(${x} ${y})`), steps);
    return { element, at, look };
  }

  #table(table, old, steps) {
    const [x, y] = table.rect;
    const look = JSON.stringify({ ...table, rect: table.rect.slice(2) });
    const element = old?.element ?? this.#layers.tables.appendChild(svg("g", { class: "table" }));
    if (old?.look !== look) element.replaceChildren(...drawTable(table));
    move(old?.at, [x, y], ([x, y]) => element.setAttribute("transform", `translate(${x} ${y})`), steps);
    return { element, at: [x, y], look };
  }

  #arrow(arrow, old, flights) {
    const element = old?.element ?? this.#layers.arrows.appendChild(drawArrow());
    set(element, { class: `edge ${arrow.marks}${old ? "" : " fresh"}`, "data-entity": arrow.entity, "data-to": arrow.to, "data-drag": arrow.entity !== "" });
    return { element, ...bend(element, arrow.line, old, flights) };
  }

  #flag(flag, old, steps, flights) {
    const element = old?.element ?? this.#layers.flags.appendChild(drawFlag());
    set(element, { class: `flag edge ${flag.marks}${old ? "" : " fresh"}`, "data-entity": flag.entity, "data-to": flag.to, "data-drag": true });
    const pill = element.querySelector(".name");
    const [, , w, h] = flag.rect;
    set(pill.querySelector("rect"), { width: w, height: h });
    const text = pill.querySelector("text");
    set(text, { x: w / 2, y: h / 2 + 4 });
    if (text.textContent !== flag.entity) text.textContent = flag.entity;
    move(old?.at, flag.rect, ([x, y]) => pill.setAttribute("transform", `translate(${x} ${y})`), steps);
    return { element, at: flag.rect, ...bend(element, flag.line, old, flights) };
  }
}

/** Makes, changes and removes what a list names, by its keys. */
function keep(known, items, key, draw) {
  const seen = new Set();
  for (const item of items) {
    const name = key(item);
    seen.add(name);
    known.set(name, draw(item, known.get(name)));
  }
  for (const [name, { element }] of known) {
    if (seen.has(name)) continue;
    element.remove();
    known.delete(name);
  }
}

function move(from, to, put, steps) {
  if (!from || (from[0] === to[0] && from[1] === to[1])) return put(to);
  steps.push((part) => put([from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part]));
}

/** Bends an arrow to its line, from the line that it had. */
function bend(element, line, old, flights) {
  const look = JSON.stringify(line);
  if (old?.bent === look) return { bent: look, line };
  const land = () => {
    const drawn = paths(line);
    const [hit, path, head, grip] = element.children;
    path.setAttribute("d", drawn.line);
    head.setAttribute("d", drawn.head);
    hit.setAttribute("d", drawn.line);
    set(grip, { cx: drawn.end[0], cy: drawn.end[1] });
  };
  if (!old) {
    land();
  } else {
    const kind = element.getAttribute("class");
    if (!flights.has(kind)) flights.set(kind, []);
    flights.get(kind).push({ element, on: blend(old.line, line), land });
  }
  return { bent: look, line };
}

const rectangle = (kind, [x, y, width, height], more = {}) => svg("rect", { class: kind, x, y, width, height, ...more });

const written = (kind, [x, y], text, anchor = "middle") => svg("text", { class: kind, x, y, "text-anchor": anchor }, text);

function drawArea(rect) {
  return [rectangle("area", rect, { rx: 6 }), written("note", [rect[0] + 2, rect[1] - 4], "unreachable", "start")];
}

function drawArrow() {
  return svg("g", {}, svg("path", { class: "hit" }), svg("path", { class: "line" }), svg("path", { class: "head" }), svg("circle", { class: "grip", r: 10 }));
}

function drawFlag() {
  const arrow = drawArrow();
  arrow.append(svg("g", { class: "name" }, svg("rect", { class: "pill", rx: 4 }), svg("text", { class: "label", "text-anchor": "middle" })));
  return arrow;
}

function fillBox(element, box, isNew) {
  set(element, { class: `node ${box.marks}${isNew ? " fresh" : ""}`, "data-node": box.name, "data-target": box.target, "data-folded": box.folded || null });
  const [x, y, w, h] = box.body;
  const [tx, ty, tw, th] = box.tab;
  element.replaceChildren(
    svg("title", {}, box.folded ? `${box.folded} nodes of this list are not shown; a click shows them` : `${box.title}: ${box.type}`),
    rectangle("box", box.body, { rx: 3 }),
    ...(tw > 0 ? [rectangle("tab", box.tab, { rx: 3 }), written("title", [tx + tw / 2, ty + th / 2 + 4], box.title)] : []),
    ...box.cells.map(drawCell),
    ...box.notes.map((note) => written("name", note.at, note.text, note.anchor)),
    ...(box.marks.includes("gone") ? [svg("path", { class: "cross", d: `M${x} ${y}L${x + w} ${y + h}M${x} ${y + h}L${x + w} ${y}` })] : []),
  );
}

function drawCell(cell) {
  const group = svg(
    "g",
    { class: `slot ${cell.kind} ${cell.marks}`, ...naming(cell), "data-target": cell.target, "data-dot": cell.dot.join(" ") },
    rectangle("cell", cell.rect),
    cell.name && written("name", cell.name.at, cell.name.text, cell.name.anchor),
  );
  if (cell.kind === "text") group.append(written(`value ${cell.text === "?" ? "unwritten" : ""}`, cell.valueAt, cell.text));
  if (cell.kind === "gap") group.append(written("value", cell.valueAt, "…"));
  if (cell.kind === "null") group.append(ground(cell.dot));
  if (cell.kind === "pointer") group.append(svg("circle", { class: "dot", cx: cell.dot[0], cy: cell.dot[1], r: 3 }));
  return group;
}

/** How a value is found: by its name, and by what can be done with it. */
function naming({ entity, kind, text }) {
  if (!entity) return {};
  const isPointer = kind === "null" || kind === "pointer" || text === "?";
  return { "data-entity": entity, "data-value": kind === "text" ? text : kind === "null" ? "null" : "", "data-edit": true, "data-drag": isPointer };
}

/** The sign for null: an earthed wire. */
function ground([x, y]) {
  return svg("path", { class: "ground", d: `M${x} ${y - 6}v6m-7 0h14m-11.5 3.5h9m-6.5 3.5h4` });
}

function drawTable(table) {
  const [, , w, h] = table.rect;
  const rows = table.rows.map((row, number) => {
    const top = table.line * (number + 1) + 2;
    const [x, y] = [table.valueX, top + table.line / 2 - 2];
    return svg(
      "g",
      { class: `row ${row.kind} ${row.marks}`, ...naming(row), "data-dot": `${x + 8} ${y}` },
      rectangle("cell", [2, top, w - 4, table.line - 1]),
      written("label", [8, top + 14], row.name, "start"),
      row.kind === "null" ? ground([x + 8, y]) : written(`value ${row.text === "?" ? "unwritten" : ""}`, [x, top + 14], row.text ?? "", "start"),
    );
  });
  return [rectangle("box", [0, 0, w, h], { rx: 3 }), rectangle("tab", [0, 0, w, table.line], { rx: 3 }), written("title", [8, 14], table.title, "start"), ...rows];
}

/** A picture that does not move, for cards and questions. */
export function drawStill(drawing, label) {
  const [x, y, w, h] = drawing.view;
  const root = svg("svg", { class: "memory still", viewBox: `${x} ${y} ${w} ${h}`, role: "img", "aria-label": label });
  root.style.aspectRatio = `${w} / ${h}`;
  root.style.maxWidth = `${w}px`;
  new Memory(root).show(drawing);
  return root;
}
