// How fast the page is: prints the figures of docs/page.md. Nothing is asserted here.

import { ROOT, User, launch } from "./harness.js";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const LIST = "crates/wolverine/tests/page/programs/long_list.c";
const browser = await launch();

/** Opens a list of so many nodes, before the loop that walks along it. */
async function withList(count) {
  const user = await User.open(browser, ["serve", LIST, "--", String(count)], { reducedMotion: "no-preference" });
  user.page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      const message = JSON.parse(payload);
      if (message.picture) user.drawing = message.picture;
    }),
  );
  await user.page.reload();
  await user.ready();
  await user.type("break 25; start; continue");
  return user;
}

/** Milliseconds from a click on Next to the painted picture. */
function clicks(page, count) {
  return page.evaluate(async (count) => {
    const times = [];
    const painted = () => new Promise((done) => requestAnimationFrame(() => new Promise((task) => setTimeout(task)).then(done)));
    for (let i = 0; i < count; i++) {
      const changed = new Promise((done) => {
        const watch = new MutationObserver(() => (watch.disconnect(), done()));
        watch.observe(document.getElementById("memory"), { subtree: true, attributes: true, childList: true });
      });
      const begun = performance.now();
      document.getElementById("do-next").click();
      await changed;
      await painted();
      times.push(performance.now() - begun);
      await new Promise((task) => setTimeout(task, 400));
    }
    return times.sort((a, b) => a - b);
  }, count);
}

/** Frames a second while all boxes and arrows of a picture move to the other side and back. */
function frames(page, drawing) {
  return page.evaluate(async (drawing) => {
    const { Memory } = await import("/assets/picture.js");
    const { svg } = await import("/assets/dom.js");
    const [x, , w] = drawing.view;
    const mirror = ([px, py], width = 0) => [2 * x + w - px - width, py];
    const mirrored = structuredClone(drawing);
    for (const box of mirrored.boxes) box.at = mirror(box.at, box.body[2]);
    for (const { line } of [...mirrored.arrows, ...mirrored.flags]) {
      for (let i = 0; i < line.points.length; i += 2) line.points[i] = mirror([line.points[i], 0])[0];
    }
    const root = svg("svg", { class: "memory", viewBox: drawing.view.join(" "), width: "100%", height: "100%" });
    document.getElementById("stage").replaceChildren(root);
    const memory = new Memory(root);
    memory.show(drawing);
    const gaps = [];
    for (let round = 0; round < 12; round++) {
      memory.show(round % 2 ? drawing : mirrored);
      let last = null;
      while (memory.isMoving) {
        const now = await new Promise(requestAnimationFrame);
        if (last !== null) gaps.push(now - last);
        last = now;
      }
    }
    return gaps.sort((a, b) => a - b);
  }, drawing);
}

const part = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
const ms = (value) => `${value.toFixed(1)} ms`;

let user = await withList(100);
const folded = await clicks(user.page, 40);
await user.page.locator("#fold").click();
await user.page.waitForFunction(() => document.querySelectorAll("#memory .node").length >= 100);
const whole = await clicks(user.page, 40);
await user.close();
console.log(`click to painted picture, 100 nodes, all shown: median ${ms(part(whole, 0.5))}, 9 of 10 within ${ms(part(whole, 0.9))}`);
console.log(`click to painted picture, 100 nodes, folded:    median ${ms(part(folded, 0.5))}, 9 of 10 within ${ms(part(folded, 0.9))}`);

user = await withList(200);
await user.page.locator("#fold").click();
await user.page.waitForFunction(() => document.querySelectorAll("#memory .node").length >= 200);
const gaps = await frames(user.page, user.drawing);
await user.close();
console.log(`frames a second while 200 nodes move: ${(1000 / (gaps.reduce((a, b) => a + b) / gaps.length)).toFixed(0)} (median gap ${ms(part(gaps, 0.5))}, 19 of 20 within ${ms(part(gaps, 0.95))})`);

const assets = join(ROOT, "crates/wolverine/src/doors/page/assets");
const size = readdirSync(assets).reduce((sum, name) => sum + statSync(join(assets, name)).size, 0);
console.log(`size of the embedded files: ${(size / 1000).toFixed(0)} KB`);
await browser.close();
