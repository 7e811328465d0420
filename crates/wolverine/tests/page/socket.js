// A WebSocket client that says what it is told to, whatever a browser would allow.

import { randomBytes } from "node:crypto";
import { request } from "node:http";

/** A GET; its status, headers and body. */
export function get(port, path, headers = {}) {
  return new Promise((done, failed) => {
    const asked = request({ host: "127.0.0.1", port, path, headers }, (response) => {
      let body = "";
      response.on("data", (text) => (body += text));
      response.on("end", () => done({ status: response.statusCode, headers: response.headers, body }));
    });
    asked.on("error", failed);
    asked.end();
  });
}

/** An upgrade to a WebSocket: a connection, or the status of the refusal. */
export function upgrade(port, headers = {}) {
  return new Promise((done, failed) => {
    const asked = request({
      host: "127.0.0.1",
      port,
      path: "/socket",
      headers: { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": randomBytes(16).toString("base64"), ...headers },
    });
    asked.on("response", (response) => {
      response.resume();
      done({ status: response.statusCode });
    });
    asked.on("upgrade", (response, socket, head) => done({ status: response.statusCode, connection: new Connection(socket, head) }));
    asked.on("error", failed);
    asked.end();
  });
}

class Connection {
  #socket;
  #buffer;
  #messages = [];
  #waiting = [];
  isClosed = false;

  constructor(socket, head) {
    this.#socket = socket;
    this.#buffer = head;
    socket.on("data", (data) => {
      this.#buffer = Buffer.concat([this.#buffer, data]);
      this.#read();
    });
    const close = () => {
      this.isClosed = true;
      for (const done of this.#waiting.splice(0)) done(null);
    };
    socket.on("close", close);
    socket.on("error", close);
    this.#read();
  }

  /** The next message as data; null if the connection was closed. */
  next() {
    if (this.#messages.length > 0) return Promise.resolve(this.#messages.shift());
    return this.isClosed ? Promise.resolve(null) : new Promise((done) => this.#waiting.push(done));
  }

  /** The next message of a type, others left out. */
  async until(type) {
    for (;;) {
      const message = await this.next();
      if (message === null || message.type === type) return message;
    }
  }

  send(text) {
    this.frame(1, Buffer.from(text));
  }

  /** Sends a frame, masked with zeros. */
  frame(kind, payload) {
    const length = payload.length;
    const head = length < 126 ? Buffer.from([0x80 | kind, 0x80 | length]) : Buffer.alloc(14);
    if (length >= 126) {
      head.writeUInt8(0x80 | kind, 0);
      head.writeUInt8(0x80 | 127, 1);
      head.writeBigUInt64BE(BigInt(length), 2);
    }
    this.#socket.write(Buffer.concat([head, length < 126 ? Buffer.alloc(4) : Buffer.alloc(0), payload]));
  }

  end() {
    this.#socket.destroy();
  }

  #read() {
    while (this.#buffer.length >= 2) {
      const [kind, short] = [this.#buffer[0] & 15, this.#buffer[1] & 127];
      const start = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (this.#buffer.length < start) return;
      const length = short === 127 ? Number(this.#buffer.readBigUInt64BE(2)) : short === 126 ? this.#buffer.readUInt16BE(2) : short;
      if (this.#buffer.length < start + length) return;
      const payload = this.#buffer.subarray(start, start + length);
      this.#buffer = this.#buffer.subarray(start + length);
      if (kind === 8) return this.#socket.end();
      if (kind !== 1) continue;
      const message = JSON.parse(payload.toString());
      const done = this.#waiting.shift();
      if (done) done(message);
      else this.#messages.push(message);
    }
  }
}
