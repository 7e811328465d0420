// What the tests share: a server for each test, a browser for all of them,
// and the hands of a user.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
const WOLVERINE = process.env.WOLVERINE ?? join(ROOT, "target/debug/wolverine");
const PICTURES = process.env.WOLVERINE_PICTURES;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--font-render-hinting=none"];

/** Starts Debian's Chromium. */
export function launch() {
  const found = spawnSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).stdout.trim();
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? found, args: FLAGS });
}

/** A running `wolverine serve`, or `demo`. */
export class Server {
  constructor(child, address) {
    Object.assign(this, { child, address, origin: new URL(address).origin, port: new URL(address).port });
  }

  static start(arguments_) {
    const child = spawn(WOLVERINE, [...arguments_, "--no-open"], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    const lines = createInterface({ input: child.stdout });
    let errors = "";
    child.stderr.on("data", (text) => (errors += text));
    return new Promise((done, failed) => {
      lines.on("line", (line) => {
        const address = line.match(/http:\S+/)?.[0];
        if (address) done(new Server(child, address));
      });
      child.on("exit", (code) => failed(new Error(`wolverine ended with ${code}: ${errors}`)));
    });
  }

  /** Ends it as Ctrl-C does; its exit code. */
  async stop(signal = "SIGINT") {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const over = new Promise((done) => this.child.once("exit", done));
    this.child.kill(signal);
    return over;
  }
}

/** Processes below one: gdb and the program. */
export function children(pid) {
  const list = spawnSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).stdout;
  const pairs = list.trim().split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent) => pairs.filter(([, of]) => of === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** Whether a process runs; one that has ended may wait for its parent to notice. */
export function isAlive(pid) {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** A C text as a file in a folder of its own. */
export function withFile(name, text) {
  const folder = mkdtempSync(join(tmpdir(), "wolverine-page-"));
  const file = join(folder, name);
  writeFileSync(file, text);
  return { file, folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** Somebody at the page. */
export class User {
  constructor(page, server) {
    Object.assign(this, { page, server, troubles: [] });
    page.on("pageerror", (error) => this.troubles.push(String(error)));
    page.on("console", (message) => message.type() === "error" && this.troubles.push(message.text()));
  }

  /** Opens the page; all that moves is still, as pictures of it are compared. */
  static async open(browser, arguments_, options = {}) {
    const server = await Server.start(arguments_);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", acceptDownloads: true, ...options });
    const user = new User(await context.newPage(), server);
    user.page.setDefaultTimeout(20_000);
    await user.page.goto(server.address);
    await user.ready();
    return user;
  }

  async close() {
    await this.page.context().close();
    await this.server.stop();
  }

  /** Waits until the session has answered. */
  async ready() {
    await this.page.waitForFunction(() => document.title !== "Wolverine" && !document.body.hasAttribute("data-busy"));
  }

  /** Does something, and waits for the answer of the session to `count` commands. */
  async expecting(count, act) {
    const before = await this.page.evaluate(() => document.querySelectorAll("#log .entry").length);
    await act();
    await this.page.waitForFunction(([before, count]) => document.querySelectorAll("#log .entry").length >= before + count && !document.body.hasAttribute("data-busy"), [before, count]);
    return this.lastEntry();
  }

  lastEntry() {
    return this.page.locator("#log .entry").last().innerText();
  }

  /** Presses a button of the bar. */
  press(name, times = 1) {
    return this.repeat(times, () => this.page.locator(`#do-${name}`).click());
  }

  /** Presses a key. */
  key(key, times = 1) {
    return this.repeat(times, () => this.page.keyboard.press(key));
  }

  async repeat(times, act) {
    let last = "";
    for (let i = 0; i < times; i++) last = await this.expecting(1, act);
    return last;
  }

  /** Types a line of commands. */
  async type(line) {
    await this.page.locator("#line").fill(line);
    const count = line.split(";").filter((part) => part.trim()).length;
    const said = await this.expecting(count, () => this.page.locator("#line").press("Enter"));
    await this.page.locator("#line").blur();
    return said;
  }

  /** Says that this is what is expected; what was asserted. */
  async expects(picture = null) {
    await this.page.locator("#do-expect").click();
    const dialog = this.page.locator("#expect");
    await dialog.waitFor();
    const facts = await dialog.innerText();
    if (picture) await this.show(picture);
    await this.expecting(1, () => dialog.getByRole("button", { name: "Assert this" }).click());
    return facts;
  }

  /** A value of the picture, an arrow or a variable. */
  entity(name) {
    return this.page.locator(`#memory [data-entity="${name}"]`);
  }

  async middle(locator) {
    const { x, y, width, height } = await locator.boundingBox();
    return [x + width / 2, y + height / 2];
  }

  /** Drags from one place to another with the mouse. */
  async drag(from, to) {
    const [[x, y], [u, v]] = [await this.middle(from), await this.middle(to)];
    return this.expecting(1, async () => {
      await this.page.mouse.move(x, y);
      await this.page.mouse.down();
      await this.page.mouse.move((x + u) / 2, (y + v) / 2, { steps: 3 });
      await this.page.mouse.move(u, v, { steps: 3 });
      await this.page.mouse.up();
    });
  }

  /** Drags a pointer to a node: its arrow's head, its name, or its empty cell. */
  async pull(entity, node) {
    const target = this.page.locator(`#memory [data-node="${node}"] .tab`);
    return this.drag(await this.handle(entity), target);
  }

  /** Drags a pointer to where null is. */
  async pullToNull(entity) {
    const [x, y] = await this.middle(await this.handle(entity));
    return this.expecting(1, async () => {
      await this.page.mouse.move(x, y);
      await this.page.mouse.down();
      await this.page.mouse.move(x + 12, y + 12, { steps: 3 });
      const [u, v] = await this.middle(this.page.locator("#dock"));
      await this.page.mouse.move(u, v, { steps: 3 });
      await this.page.mouse.up();
    });
  }

  /** Where a pointer is taken hold of. */
  async handle(entity) {
    const all = this.entity(entity);
    for (const part of [".pill", ".grip", ".ground", ".cell"]) {
      const found = all.locator(part);
      if ((await found.count()) > 0) return found.first();
    }
    throw new Error(`${entity} is not in the picture`);
  }

  /** Clicks on the middle of an arrow. */
  async clickArrow(entity) {
    const [x, y] = await this.page.locator(`#memory .edge[data-entity="${entity}"] .hit`).evaluate((path) => {
      const at = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
      return [at.x, at.y];
    });
    return this.expecting(1, () => this.page.mouse.click(x, y));
  }

  /** What an arrow or variable points to. */
  async pointsTo(entity) {
    const all = this.page.locator(`#memory .edge[data-entity="${entity}"]`);
    if ((await all.count()) > 0) return all.first().getAttribute("data-to");
    return this.page.locator(`#memory [data-edit][data-entity="${entity}"]`).first().getAttribute("data-value");
  }

  /** The line that the program stands at. */
  async line() {
    const here = this.page.locator("#lines .here");
    return (await here.count()) > 0 ? Number(await here.getAttribute("data-line")) : null;
  }

  /** What the picture shows, as text that does not depend on places. */
  picture() {
    return this.page.evaluate(() => {
      const edges = [...document.querySelectorAll("#memory .edge[data-entity]")].map((edge) => `${edge.dataset.entity} -> ${edge.dataset.to}`);
      const values = [...document.querySelectorAll("#memory [data-edit]")].map((value) => `${value.dataset.entity} = ${value.dataset.value}`);
      return [...edges, ...values].sort().join("\n");
    });
  }

  /** Draws the page into the documentation, if that was asked for. */
  async show(name) {
    if (!PICTURES) return;
    await this.page.mouse.move(640, 2);
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`), animations: "disabled" });
  }
}
