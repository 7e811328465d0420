// Making elements.

const SVG = "http://www.w3.org/2000/svg";

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

/** An HTML element; `false` and `null` attributes and children are left out. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

/** Sets attributes that are not so already; `false` and `null` remove one. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = value === true ? "" : value === false ? null : (value ?? null);
    if (text === null) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(text)) element.setAttribute(name, text);
  }
}

let waiting = [];

/** Does something that looks at sizes and places once all changes of an update are made: in between it would cost a
 *  layout each time. */
export function beforePaint(act) {
  if (waiting.push(act) > 1) return;
  requestAnimationFrame(() => {
    const acts = waiting;
    waiting = [];
    for (const act of acts) act();
  });
}

/** Whether keys are being typed into a field. */
export function isTyping(event) {
  return event.target.closest("input:not([type=range]), textarea, dialog[open]") !== null;
}

/** Shows a text near an element while the pointer or the focus is on it. */
export function tip(element, text) {
  const shown = byId("tip");
  const show = () => {
    shown.textContent = typeof text === "function" ? text() : text;
    if (!shown.textContent) return;
    shown.hidden = false;
    const at = element.getBoundingClientRect();
    const below = at.bottom + shown.offsetHeight + 8 < innerHeight;
    shown.style.left = `${Math.max(8, Math.min(at.left + 24, innerWidth - shown.offsetWidth - 8))}px`;
    shown.style.top = `${below ? at.bottom + 4 : at.top - shown.offsetHeight - 4}px`;
  };
  const hide = () => (shown.hidden = true);
  element.addEventListener("pointerenter", show);
  element.addEventListener("pointerleave", hide);
  element.addEventListener("focus", show);
  element.addEventListener("blur", hide);
}
