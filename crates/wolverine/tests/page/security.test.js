// Who is let in, and what happens to those who are not.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, test } from "node:test";

import { Server } from "./harness.js";
import { get, upgrade } from "./socket.js";

let server;
let cookie;
let right;

before(async () => {
  server = await Server.start(["serve", "examples/reverse.c", "--engine", "interpreter"]);
});
after(() => server.stop());

test("a wrong token is refused, the right one works once", async () => {
  const wrong = await get(server.port, "/?token=0123456789abcdef0123456789abcdef");
  assert.equal(wrong.status, 403);
  assert.match(wrong.body, /each works once/);
  assert.equal((await get(server.port, "/?token=")).status, 403);
  assert.equal((await get(server.port, "/?other=1")).status, 403);

  const path = new URL(server.address).pathname + new URL(server.address).search;
  const admitted = await get(server.port, path);
  assert.equal(admitted.status, 303);
  assert.equal(admitted.headers.location, "/");
  assert.match(admitted.headers["set-cookie"][0], /HttpOnly; SameSite=Strict/);
  cookie = admitted.headers["set-cookie"][0].split(";")[0];
  right = { Cookie: cookie, Origin: server.origin };
  assert.equal((await get(server.port, path)).status, 403, "it was used");
  assert.equal((await get(server.port, "/", { Cookie: cookie })).status, 200);
});

test("without the cookie there is nothing to see", async () => {
  for (const path of ["/", "/assets/main.js", "/download/script", "/download/fixed", "/nothing"]) {
    assert.equal((await get(server.port, path)).status, 403, path);
    assert.equal((await get(server.port, path, { Cookie: `${cookie}x` })).status, 403, path);
  }
  assert.equal((await upgrade(server.port, { Origin: server.origin })).status, 403);
});

test("another host name is refused, with the cookie too", async () => {
  for (const Host of ["evil.example", `evil.example:${server.port}`, "127.0.0.1", "127.0.0.1:1"]) {
    const refused = await get(server.port, "/", { Cookie: cookie, Host });
    assert.equal(refused.status, 403, Host);
    assert.match(refused.body, /only served under 127\.0\.0\.1/);
    assert.equal((await upgrade(server.port, { ...right, Host })).status, 403, Host);
  }
});

test("a page of another origin is refused, with the cookie too", async () => {
  for (const Origin of ["http://evil.example", "null", `https://127.0.0.1:${server.port}`, `${server.origin}.evil.example`]) {
    assert.equal((await upgrade(server.port, { Cookie: cookie, Origin })).status, 403, Origin);
  }
  assert.equal((await upgrade(server.port, { Cookie: cookie })).status, 403, "no origin");
});

test("the page may load nothing from elsewhere, and nobody may frame it", async () => {
  const { headers } = await get(server.port, "/", { Cookie: cookie });
  assert.match(headers["content-security-policy"], /default-src 'none'.*frame-ancestors 'none'/);
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["cache-control"], "no-store");
});

test("there are no other files", async () => {
  for (const path of ["/assets/../main.js", "/assets/..%2fCargo.toml", "/assets/%2fetc%2fpasswd", "/download/passwd", "/etc/passwd"]) {
    assert.equal((await get(server.port, path, { Cookie: cookie })).status, 404, path);
  }
});

test("messages that make no sense are refused, and the session goes on", async () => {
  const { connection } = await upgrade(server.port, right);
  assert.equal((await connection.next()).type, "all");
  for (const text of ["", "{", "[]", "null", '{"do":"fly"}', '{"do":"run"}', '{"do":"run","line":7}', '{"do":"stop","more":1}', '{"do":"complete","line":"a","at":-1}']) {
    connection.send(text);
    assert.match((await connection.until("refused")).sentence, /makes no sense/, text);
  }
  connection.frame(2, Buffer.from("binary"));
  assert.match((await connection.until("refused")).sentence, /must be text/);
  // Places outside of a line, and inside of a character.
  connection.send('{"do":"complete","line":"pri","at":900}');
  assert.ok((await connection.until("words")).words.includes("print"));
  connection.send('{"do":"complete","line":"ä","at":1}');
  assert.equal((await connection.until("words")).type, "words");
  connection.send('{"do":"run","line":"start"}');
  for (let update = await connection.until("update"); !update.position; update = await connection.until("update"));
  connection.end();
});

test("a message that is too long ends the connection, and not the session", async () => {
  const { connection } = await upgrade(server.port, right);
  await connection.next();
  connection.send(JSON.stringify({ do: "run", line: "x".repeat(100_000) }));
  assert.equal(await connection.until("never"), null);
  const again = await upgrade(server.port, right);
  const all = await again.connection.next();
  assert.equal(all.type, "all");
  assert.equal(all.position.line, 47);
  again.connection.end();
});

test("a second client takes over, and the first is told", async () => {
  const first = await upgrade(server.port, right);
  await first.connection.next();
  const second = await upgrade(server.port, right);
  assert.equal((await second.connection.next()).type, "all");
  assert.equal((await first.connection.until("replaced")).type, "replaced");
  assert.equal(await first.connection.next(), null, "and its connection is closed");
  second.connection.end();
});

test("too many commands at once are refused", async () => {
  const { connection } = await upgrade(server.port, right);
  await connection.next();
  for (let i = 0; i < 2000; i++) connection.send('{"do":"run","line":"print 1"}');
  assert.match((await connection.until("refused")).sentence, /too many commands/);
  connection.end();
});

test("a port that is taken, a file that is not there, a file that is no C", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => taken.once("listening", done));
  const port = taken.address().port;
  await assert.rejects(Server.start(["serve", "examples/reverse.c", "--port", String(port)]), /ended with 2.*cannot serve on port/s);
  taken.close();
  await assert.rejects(Server.start(["serve", "nothing.c"]), /ended with 2.*nothing\.c/s);
  await assert.rejects(Server.start(["serve", "README.md"]), /ended with 2/s);
});
