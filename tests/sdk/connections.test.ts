import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect as connectTo, type Socket } from "node:net";
import path from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { startHttp2 } from "../faults/connections";
import { requireBuild } from "../support/checkout";
import { refusedUrl } from "../support/client";
import { createAuthority } from "../support/keys";
import { json, listen, startService } from "../support/service";
import { makeFolder } from "../support/suite";

const sdk = path.resolve(__dirname, "../../dist/sdk/index.js");

const authority = createAuthority();
const folder = makeFolder();
const authorityFile = path.join(folder, "authority.pem");
beforeAll(() => {
  requireBuild();
  writeFileSync(authorityFile, authority.cert);
});

/** The output of a script in a new process with this environment, which decides about TLS and proxies. */
const run = (script: string, env: Record<string, string>): Promise<string> =>
  // The time limit only ends a process that hangs: the test fails then.
  new Promise((resolve, reject) => {
    execFile(process.execPath, ["-e", script], { env, timeout: 60_000 }, (failed, stdout) =>
      failed ? reject(failed) : resolve(stdout.trim()),
    );
  });

const listTokens = (baseUrl: string, env: Record<string, string>): Promise<string> =>
  run(
    `const { EventDatasets } = require(${JSON.stringify(sdk)});
    const client = new EventDatasets({ baseUrl: ${JSON.stringify(baseUrl)}, accessToken: "xaat-1", sleep: async () => {} });
    client.tokens.list().then((tokens) => console.log("listed " + tokens.length), (e) => console.log(e.message));`,
    env,
  );

/** A proxy that tunnels every request to a port, or gives this answer to each, or none. It records the requests. */
async function startProxy(target: number | string | undefined) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on("connection", (socket) => sockets.add(socket));
  server.on("connect", (request, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.on("error", () => undefined);
    if (typeof target === "string") socket.end(target);
    if (typeof target !== "number") return;
    const upstream = connectTo(target, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    sockets.add(upstream.on("error", () => undefined));
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const portOf = (url: string): number => Number(new URL(url).port);

/**
 * Makes calls that fail in a new process, closes the client, and counts the connections that are then still open. A turn of the event
 * loop ends with the closing of what was destroyed in it.
 */
const countOpenAfterClose = (calls: string, env: Record<string, string>): Promise<string> =>
  run(
    `const { EventDatasets } = require(${JSON.stringify(sdk)});
    const client = new EventDatasets({ baseUrl: "https://api.example", accessToken: "xaat-1", callDeadline: "1s", listDeadline: "1s" });
    const isSocket = (name) => name === "TCPSocketWrap" || name === "TCPWRAP";
    Promise.allSettled([${calls}])
      .then(() => client.close())
      .then(() => new Promise((resolve) => setImmediate(() => setImmediate(resolve))))
      .then(() => console.log(process.getActiveResourcesInfo().filter(isSocket).length + " open"));`,
    env,
  );

describe("behind a proxy", () => {
  test.each([
    ["a list", "client.tokens.list()"],
    ["creates", 'client.tokens.create({ name: "a" }), client.tokens.create({ name: "b" })'],
    [
      "a create after a failed one",
      'client.tokens.create({ name: "a" }).catch(() => client.tokens.create({ name: "b" }))',
    ],
  ])("that never answers, a client that is closed after %s holds no connection", async (_, calls) => {
    await using proxy = await startProxy(undefined);
    expect(await countOpenAfterClose(calls, { HTTPS_PROXY: proxy.url })).toBe("0 open");
  });

  test("that refuses or is down, the error names the proxy", async () => {
    await using proxy = await startProxy("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
    expect(await listTokens("https://api.example", { HTTPS_PROXY: proxy.url })).toContain(
      "the proxy did not open a connection (UND_ERR_ABORTED): check HTTPS_PROXY",
    );
    expect(await listTokens("https://api.example", { HTTPS_PROXY: refusedUrl })).toContain(
      "could not connect (ECONNREFUSED): check the base URL, the network and the proxy in HTTPS_PROXY",
    );
  });

  const api = (port: number) => `https://localhost.example:${port}`;

  test("an unknown authority is refused, too", async () => {
    await using place = await startHttp2(createAuthority());
    await using tunnel = await startProxy(portOf(place.url));
    const env = { HTTPS_PROXY: tunnel.url, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    expect(await listTokens(api(443), env)).toContain("no trusted TLS connection");
    expect(place.versions).toEqual([]);
    expect(tunnel.asked).toEqual(["CONNECT localhost.example:443"]);
  });

  test("a service that offers HTTP/2 receives HTTP/1.1", async () => {
    await using place = await startHttp2(authority, ["localhost.example"]);
    await using tunnel = await startProxy(portOf(place.url));
    const env = { HTTPS_PROXY: tunnel.url, NODE_EXTRA_CA_CERTS: authorityFile };
    expect(await listTokens(api(443), env)).toBe("listed 0");
    expect(place.versions).toEqual(["1.1"]);
  });

  test("the dispatcher of the program's own fetch stays", async () => {
    const script = `const { EventDatasets } = require(${JSON.stringify(sdk)});
    new EventDatasets({ baseUrl: "https://api.example", accessToken: "xaat-1" });
    console.log(Object.getOwnPropertySymbols(globalThis).map(String).filter((name) => name.includes("undici")));`;
    expect(await run(script, { HTTPS_PROXY: refusedUrl })).toBe("[]");
  });

  test("NO_PROXY is honoured", async () => {
    await using tunnel = await startProxy(1);
    const name = `${"x".repeat(64)}.example`; // too long for a name server
    expect(await listTokens(`https://${name}`, { HTTPS_PROXY: tunnel.url, NO_PROXY: name })).toContain(
      "could not connect",
    );
    expect(tunnel.asked).toEqual([]);
  });

  test.each(["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"])(
    "from %s, a loopback address is still reached directly: the credential stays on this machine",
    async (variable) => {
      await using service = await startService(json(200, []));
      await using tunnel = await startProxy(1);
      const urls = [service.url, service.url.replace("127.0.0.1", "LOCALHOST")];
      for (const url of urls) expect(await listTokens(url, { [variable]: tunnel.url })).toBe("listed 0");
      expect(service.calls).toHaveLength(2);
      expect(tunnel.asked).toEqual([]);
    },
  );

  test("with an invalid address, the error names the variables without quoting their values", async () => {
    const output = listTokens("https://api.example", { HTTPS_PROXY: "http://user:canary-1@:x" });
    const message = await output.catch((e: Error) => e.message);
    expect(message).toContain("HTTPS_PROXY or HTTP_PROXY (or its form in lower case) is not the address of a proxy");
    expect(message).not.toContain("canary-1");
  });
});

test("on Bun there is one error message without a stack trace", async () => {
  const script = `Object.defineProperty(process, "versions", { value: { ...process.versions, bun: "1.3.14" } }); require(${JSON.stringify(sdk)})`;
  const stderr = await new Promise<string>((resolve) => {
    execFile(process.execPath, ["-e", script], { env: {} }, (_, __, text) => resolve(text));
  });
  expect(stderr.match(/need Node\.js, and this is Bun 1\.3\.14: set "runtime: nodejs" in Pulumi\.yaml/g)).toHaveLength(
    1,
  );
  expect(stderr).not.toMatch(/^ +at /m);
});
