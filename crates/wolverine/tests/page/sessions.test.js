// Whole sessions with the mouse and the keyboard.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";

import { User, children, isAlive, launch, withFile } from "./harness.js";

const PROGRAMS = "crates/wolverine/tests/page/programs";
let browser;
let user;
before(async () => (browser = await launch()));
after(() => browser.close());
afterEach(async () => {
  const troubles = user?.troubles ?? [];
  await user?.close();
  user = undefined;
  assert.deepEqual(troubles, [], "the page has no errors");
});

const open = async (...arguments_) => (user = await User.open(browser, arguments_));

/** Compiles a C file and runs it; what it prints. */
function printed(file) {
  execFileSync("gcc", ["-w", "-o", `${file}.out`, file]);
  return execFileSync(`${file}.out`, { encoding: "utf8" });
}

test("the paper's list reversal, by mouse", async () => {
  await open("serve", "examples/reverse.c");
  await user.show("page-start");
  await user.press("start");
  await user.press("next", 4);
  assert.equal(await user.pointsTo("head"), "n4");
  await user.press("step");
  await user.press("next", 2);
  assert.equal(await user.line(), 29);
  const first = await user.expects();
  assert.match(first, /head == n4/);
  assert.match(first, /Not asserted.*temp2/);

  // The first round leaves current and n4.prev wrong.
  await user.press("enter");
  await user.press("next", 5);
  assert.equal(await user.pointsTo("n4.prev"), "null");
  await user.show("page-wrong");
  await user.pull("n4.prev", "n3");
  await user.pull("current", "n3");
  assert.equal(await user.pointsTo("n4.prev"), "n3");
  assert.equal(await user.pointsTo("current"), "n3");
  await user.show("page-corrected");
  const second = await user.expects("page-expected");
  assert.match(second, /n4\.prev == n3/);
  assert.match(second, /Forced on the way.*line 29/);

  await user.press("enter");
  await user.press("next", 5);
  await user.pull("n3.prev", "n2");
  await user.pull("current", "n2");
  await user.expects();
  await user.press("localize");
  assert.ok((await user.page.locator("#lines .suspect").count()) > 0);
  await user.page.locator("#lines .suspect[data-rank='1']").hover();
  assert.match(await user.page.locator("#tip").innerText(), /suspicious|missing/);
  await user.show("page-suspicious");

  await user.press("repair");
  assert.match(await user.page.locator(".card.live .diff").innerText(), /temp2 = current->next/);
  assert.equal(await user.page.locator("#lines .removed").getAttribute("data-line"), "31");
  await user.show("page-repaired");
  // Another candidate, and the first again.
  const second_ = user.page.locator(".card[data-number='2'] .pick");
  await user.expecting(1, () => second_.click());
  assert.equal(await user.page.locator(".card.live").getAttribute("data-number"), "2");
  await user.expecting(1, () => user.page.locator(".card[data-number='1'] .pick").click());

  // The patch is live: two rounds need no correction.
  for (let round = 0; round < 2; round++) {
    await user.press("enter");
    await user.press("next", 5);
  }
  await user.press("leave");
  await user.pull("head", "n1");
  await user.expects();
  await user.press("repair");
  const safe = user.page.locator(".card:not(:has(.risk))").first();
  const number = await safe.getAttribute("data-number");
  if (!(await safe.evaluate((card) => card.classList.contains("live")))) {
    await user.expecting(1, () => safe.locator(".pick").click());
  }
  assert.equal(await user.page.locator(".card.live").getAttribute("data-number"), number);
  await user.show("page-second-repair");

  const downloads = withFile("fixed.c", "");
  const [fixed] = await Promise.all([user.page.waitForEvent("download"), user.page.locator("#download-fixed").click()]);
  assert.equal(fixed.suggestedFilename(), "reverse.fixed.c");
  await fixed.saveAs(downloads.file);
  assert.equal(printed(downloads.file), "2 4 8 10 \n");
  const [diff] = await Promise.all([user.page.waitForEvent("download"), user.page.locator("#download-diff").click()]);
  await diff.saveAs(`${downloads.file}.diff`);
  assert.match(readFileSync(`${downloads.file}.diff`, "utf8"), /^\+.*temp2 = current->next/m);
  downloads.remove();
});

test("a tree rotation", async () => {
  await open("serve", `${PROGRAMS}/rotate.c`);
  await user.page.locator("#lines [data-line='32'] .gutter").click();
  await user.page.locator("#lines .breakpoint[data-line='32']").waitFor();
  await user.press("start");
  await user.press("continue");
  assert.equal(await user.line(), 32);
  assert.equal(await user.pointsTo("n1.left"), "n2");
  await user.show("page-tree-wrong");
  // The subtree in the middle changes sides.
  await user.pull("n1.left", "n5");
  assert.equal(await user.pointsTo("n1.left"), "n5");
  await user.expects();
  await user.press("repair");
  assert.match(await user.page.locator(".card.live .diff").innerText(), /\+ top->left = inner;/);
  await user.press("finish");
  await user.press("next");
  assert.equal(await user.pointsTo("root"), "n2");
  // The nodes stand where they stood, until somebody wants it tidy.
  const height = async (node) => (await user.middle(user.page.locator(`#memory [data-node="${node}"] .tab`)))[1];
  assert.ok((await height("n1")) < (await height("n2")));
  await user.page.locator("#tidy").click();
  await user.page.waitForFunction(() => {
    const top = (node) => document.querySelector(`#memory [data-node="${node}"]`).getBoundingClientRect().top;
    return top("n2") < top("n1") && top("n1") < top("n5");
  });
  await user.show("page-tree");
  await user.press("continue");
  assert.match(await user.page.locator("#output").innerText(), /20 30 40 50 60 70 80/);
});

test("two repairs that differ, and the question which is meant", async () => {
  await open("serve", "examples/delete_middle.c");
  await user.type("start; next 3; step; next 4; spec; enter; next 5; change temp null; spec");
  await user.press("repair");
  const question = user.page.locator("#question");
  await question.waitFor();
  assert.equal(await question.locator("svg.still").count(), 2);
  await user.show("page-question");
  await user.expecting(1, () => question.getByRole("button", { name: "This is meant" }).first().click());
  assert.match(await user.lastEntry(), /noted: .* values at the end are as with candidate 1/);
  assert.equal(await user.page.locator(".card.live").getAttribute("data-number"), "1");
});

test("a search is cancelled", async () => {
  await open("serve", "examples/reverse.c");
  await user.type("start; next 4; step; next 2; spec; enter; next 5; change current n3; change n4->prev n3; spec");
  await user.type("enter; next 5; change current n2; change n3->prev n2; spec");
  // No statement gives these values, so the search goes through all that it knows, for many seconds.
  await user.type("enter; next 5; change n1->data 77; change n2->data 13; change n4->next n2; spec");
  await user.page.locator("#line").fill("repair algorithm3");
  const said = await user.expecting(1, async () => {
    await user.page.locator("#line").press("Enter");
    await user.page.locator("#stop").click();
  });
  assert.match(said, /interrupted; no repair was found so far/);
  // Back where all was possible, the repair is found: the search that was given up has left nothing behind.
  await user.type("resume 2");
  await user.press("repair");
  assert.match(await user.page.locator(".card.live .diff").innerText(), /temp2 = current->next/);
});

test("undo, back and resume", async () => {
  await open("serve", "examples/reverse.c");
  await user.press("start");
  await user.press("next", 4);
  await user.press("step");
  await user.press("next", 2);
  await user.expects();
  const before = await user.picture();
  await user.pull("current", "n2");
  assert.equal(await user.pointsTo("current"), "n2");
  await user.pullToNull("head");
  assert.equal(await user.pointsTo("head"), "null");
  await user.key("u", 2);
  assert.equal(await user.picture(), before);

  // A number is typed, and what is not to be asserted is clicked.
  const [x, y] = await user.middle(user.entity("n2.data").locator(".value"));
  await user.page.mouse.click(x, y);
  await user.page.locator("#editor input").fill("7");
  await user.expecting(1, () => user.page.keyboard.press("Enter"));
  assert.equal(await user.pointsTo("n2.data"), "7");
  await user.press("undo");
  await user.clickArrow("n3.next");
  await user.page.locator("#memory .edge.untracked[data-entity='n3.next']").waitFor();
  await user.clickArrow("n3.next");
  assert.equal(await user.page.locator("#memory .edge.untracked[data-entity='n3.next']").count(), 0);

  await user.press("back");
  assert.equal(await user.line(), 28);
  await user.press("back", 2);
  assert.equal(await user.line(), 51);
  await user.show("page-time-line");
  await user.expecting(1, () => user.page.locator(".checkpoint").first().click());
  assert.equal(await user.line(), 29);
  assert.equal(await user.picture(), before);

  // Another way from the same checkpoint makes a branch of the tree.
  await user.press("enter");
  await user.press("next");
  await user.expects();
  await user.expecting(1, () => user.page.locator(".checkpoint").first().click());
  await user.press("leave");
  await user.expects();
  assert.equal(await user.page.locator("#expectations .tree .tree .checkpoint").count(), 2);
  await user.show("page-checkpoints");

  // The time line goes to any moment.
  const scrub = user.page.locator("#scrub");
  await scrub.focus();
  await user.expecting(1, () => user.page.keyboard.press("Home"));
  assert.equal(await user.line(), 47);
  await user.expecting(1, () => user.page.keyboard.press("End"));
  assert.equal(await user.line(), 37);
});

test("a crash of the program, and the way back from it", async () => {
  await open("serve", "examples/crash.c");
  await user.press("start");
  await user.press("continue");
  const fault = user.page.locator("#fault.crashed");
  await fault.waitFor();
  assert.match(await fault.innerText(), /null|freed|invalid|SIGSEGV/i);
  assert.ok(await user.page.locator("#do-next").isDisabled());
  await user.show("page-crash");
  await user.press("back");
  assert.ok(await fault.isHidden());
  assert.ok(!(await user.page.locator("#do-next").isDisabled()));
});

test("reload in the middle, and another tab", async () => {
  await open("serve", "examples/reverse.c");
  await user.press("start");
  await user.press("next", 3);
  await user.pull("n3.prev", "n1");
  const before = await user.picture();
  const log = await user.page.locator("#log").innerText();
  await user.page.reload();
  await user.ready();
  assert.equal(await user.picture(), before);
  assert.equal(await user.page.locator("#log").innerText(), log);
  await user.press("undo");
  assert.equal(await user.pointsTo("n3.prev"), "null");

  // A second tab takes over, and the first can have it back.
  const second = await user.page.context().newPage();
  await second.goto(user.server.origin);
  await user.page.locator("#banner", { hasText: "another tab" }).waitFor();
  await second.locator("#do-next").click();
  await second.locator("#lines .here[data-line='51']").waitFor();
  await user.page.getByRole("button", { name: "Use it here" }).click();
  await user.page.locator("#lines .here[data-line='51']").waitFor();
  await second.locator("#banner", { hasText: "another tab" }).waitFor();
  await second.close();
});

test("input, an endless loop, and gdb killed", async () => {
  await open("serve", `${PROGRAMS}/reads.c`);
  await user.press("start");
  await user.press("continue");
  const input = user.page.locator("#input input");
  for (const number of ["20", "22", "0"]) {
    await input.fill(number);
    await user.expecting(1, () => input.press("Enter"));
    if (number !== "0") await user.press("continue");
  }
  await user.page.locator("#do-continue").click();
  await user.page.locator("#stop").waitFor();
  // It runs on while nobody looks.
  await user.page.reload();
  await user.page.locator("#stop").click();
  await user.page.locator("#stop").waitFor({ state: "hidden" });
  assert.match(await user.page.locator("#output").innerText(), /the sum is 42/);
  assert.match(await user.lastEntry(), /interrupted/);

  const gdb = children(user.server.child.pid).find((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("gdb"));
  process.kill(gdb, "SIGKILL");
  const said = await user.press("next");
  assert.match(said, /nothing is lost|did not run the same way/);
});

test("the session ends with the server, and the other way round", async () => {
  await open("serve", "examples/reverse.c");
  await user.press("start");
  const below = children(user.server.child.pid);
  assert.ok(below.length >= 2, "gdb and the program run");
  assert.equal(await user.server.stop(), 0);
  await user.page.locator("#banner", { hasText: "over" }).waitFor();
  while (below.some(isAlive)) await new Promise((done) => setTimeout(done, 20));
  user.troubles = user.troubles.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text));
});

test("everything works by keyboard, and commands complete", async () => {
  await open("serve", "examples/reverse.c");
  await user.key("g");
  await user.key("n", 4);
  assert.equal(await user.line(), 51);
  // To n4's first value, and another number there.
  await user.page.locator("#memory").focus();
  for (let i = 0; i < 40; i++) {
    await user.page.keyboard.press("ArrowRight");
    if (await user.page.locator("#memory .cursor[data-entity='n4.data']").count()) break;
  }
  await user.page.keyboard.press("Enter");
  await user.page.locator("#editor input").fill("11");
  await user.expecting(1, () => user.page.keyboard.press("Enter"));
  assert.equal(await user.pointsTo("n4.data"), "11");
  await user.page.keyboard.press("a");
  await user.page.locator("#expect").waitFor();
  await user.expecting(1, () => user.page.keyboard.press("Enter"));
  assert.equal(await user.page.locator(".checkpoint").count(), 1);
  await user.page.keyboard.press("/");
  await user.page.keyboard.type("checkp");
  await user.page.keyboard.press("Tab");
  await user.page.waitForFunction(() => document.getElementById("line").value === "checkpoints");
  assert.match(await user.repeat(1, () => user.page.keyboard.press("Enter")), /line 51/);
  assert.match(await user.type("frobnicate"), /there is no command `frobnicate`/);
});

test("long lists fold in the middle", async () => {
  await open("serve", `${PROGRAMS}/long_list.c`, "--", "100");
  await user.type("break 25; start; continue");
  const folded = user.page.locator("#memory .node.fold");
  assert.equal(await folded.count(), 1);
  await user.show("page-folded");
  // What a variable comes to is shown, with its neighbours.
  await user.type("next 60");
  assert.equal(await folded.count(), 2);
  assert.equal(await user.pointsTo("walk"), "n80");
  await folded.first().click();
  await user.page.waitForFunction(() => document.querySelectorAll("#memory .node").length >= 100);
  await user.page.locator("#fold").click();
  await folded.first().waitFor();
  await user.page.waitForFunction(() => document.querySelectorAll("#memory .node").length < 20);
});

test("the guided tour", async () => {
  await open("demo");
  const tour = user.page.locator("#tour");
  assert.match(await tour.innerText(), /Start it/);
  await user.show("page-tour");
  await user.key("g");
  assert.match(await tour.innerText(), /four nodes/);
  await user.key("n", 4);
  await user.key("s");
  await user.key("n", 2);
  assert.match(await tour.innerText(), /Say so/);
  await user.expects();
  await user.key("e");
  await user.key("n", 5);
  assert.match(await tour.innerText(), /drag its prev to n3/);
  await user.pull("n4.prev", "n3");
  await user.pull("current", "n3");
  await user.expects();
  await user.key("r");
  assert.match(await tour.innerText(), /The patch is live/);
  await tour.getByRole("button", { name: "End the tour" }).click();
  assert.ok(await tour.isHidden());
});

test("dark, with the same picture", async () => {
  user = await User.open(browser, ["serve", "examples/reverse.c"], { colorScheme: "dark" });
  await user.type("start; next 4; step; next 2; spec; enter; next 5");
  const background = await user.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.match(background, /rgb\((\d|1\d), /);
  await user.show("page-dark");
});
