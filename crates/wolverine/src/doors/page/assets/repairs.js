// Repairs as cards; and the question, where two of them differ.

import { run } from "./connection.js";
import { beforePaint, byId, el } from "./dom.js";
import { drawStill } from "./picture.js";

const dialog = byId("question");

/** Shows what `repair` found. */
export function showRepairs(repairs) {
  const section = byId("repairs");
  const body = section.querySelector(".body");
  section.querySelector(".downloads").hidden = repairs === null;
  if (repairs === null) {
    dialog.close();
    body.replaceChildren(el("p", { class: "hint" }, "Once something is expected that the program does not do, ", el("b", {}, "Repair"), " finds the smallest change that makes it so."));
    return;
  }
  const parts = [
    ...repairs.open.map((text) => el("p", { class: "note" }, text, " ", el("button", { type: "button", onclick: () => run("repair guards") }, "Repair it now"))),
    repairs.asked && el("p", { class: "asked" }, el("button", { type: "button", onclick: () => ask(repairs) }, `Candidates ${numbers(repairs.asked)} differ: compare them`)),
    ...repairs.cards.map(makeCard),
  ];
  body.replaceChildren(...parts.filter(Boolean));
  beforePaint(() => body.querySelector(".card.live")?.scrollIntoView({ block: "nearest" }));
  // Each question is asked once, also if the page is loaded again.
  const question = JSON.stringify([repairs.asked?.input, repairs.cards.map((card) => card.lines)]);
  if (repairs.asked && sessionStorage.getItem("asked") !== question) ask(repairs);
  sessionStorage.setItem("asked", question);
}

const numbers = (asked) => asked.sides.map((side) => side.number).join(" and ");

function makeCard(card) {
  const changes = card.changes === 1 ? "one change" : `${card.changes} changes`;
  return el(
    "article",
    { class: `card ${card.isLive ? "live" : ""}`, "data-number": card.number },
    el("h3", {}, el("span", { class: "badge" }, String(card.number)), changes, card.isLive && el("span", { class: "state" }, "live"), !card.isLive && el("button", { type: "button", class: "pick", onclick: () => run(`pick ${card.number}`) }, "Pick")),
    makeDiff(card.lines),
    el("p", { class: "checked" }, "✓ ", card.checked),
    card.risk && el("p", { class: "risk" }, "⚠ ", card.risk),
    card.picture && el("figure", {}, drawStill(card.picture, `the memory with candidate ${card.number}`), el("figcaption", {}, card.caption)),
    !card.picture && card.caption && el("p", { class: "risk" }, card.caption),
  );
}

/** Changed lines, without the indentation that they share. */
export function makeDiff(lines) {
  const indents = lines.filter((line) => line.text.trim()).map((line) => line.text.match(/^\s*/)[0].length);
  const indent = Math.min(...indents, 40);
  const row = (line) => el("div", { class: line.added ? "plus" : "minus" }, el("span", { class: "number" }, String(line.number)), line.added ? "+ " : "− ", line.text.slice(indent));
  return el("pre", { class: "diff" }, lines.map(row));
}

/** Both pictures side by side. */
function ask(repairs) {
  const { input, sides } = repairs.asked;
  const side = ({ number, picture }) =>
    el(
      "div",
      { class: "choice" },
      el("h3", {}, el("span", { class: "badge" }, String(number)), `With candidate ${number}`),
      makeDiff(repairs.cards.find((card) => card.number === number)?.lines ?? []),
      el("figure", {}, drawStill(picture, `the memory with candidate ${number}`)),
      el("button", { value: String(number), class: "main" }, "This is meant"),
    );
  dialog.replaceChildren(
    el(
      "form",
      { method: "dialog" },
      el("h2", {}, "Both repairs do what you drew, but they differ elsewhere."),
      el("p", {}, "The memory at the end of the function, ", el("b", {}, input), ":"),
      el("div", { class: "choices" }, sides.map(side)),
      el("p", { class: "actions" }, el("span", { class: "note" }, "The answer becomes part of what you expect."), el("button", { value: "" }, "Decide later")),
    ),
  );
  dialog.returnValue = "";
  dialog.onclose = () => dialog.returnValue && run(`pick ${dialog.returnValue}`);
  if (!dialog.open) dialog.showModal();
}
