import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type ServerHttp2Session } from "node:http2";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { createWorkspace, type Workspace } from "./engine";
import { findFreePort } from "./port";
import { json, startService } from "./service";
import { useWarmHosts } from "./warmHosts";
import { HOSTS_PORT } from "./warmHosts/protocol";
import { WarmHosts } from "./warmHosts/server";

useWarmHosts();

/** A server of its own, so that the programs of a test get the same host. */
async function startHosts(): Promise<WarmHosts> {
  const hosts = await WarmHosts.start();
  process.env[HOSTS_PORT] = String(hosts.port);
  return hosts;
}

/** The line of a program that keeps the id of its process, for one whose command fails. */
const keepId = `require("node:fs").writeFileSync("pid", String(process.pid));`;
const keptId = async ({ program }: Workspace) => Number(await readFile(path.join(program, "pid"), "utf8"));

test("a program leaves nothing behind for the next one in its host", async () => {
  await using _ = await startHosts();
  const untidy = `process.env.LEFT = "by the first";
setInterval(() => { process.env.LEFT = "by its timer"; }, 1).unref();
process.chdir("/");
exports.pid = process.pid;`;
  await using first = await createWorkspace({ program: { "index.js": untidy } });
  await first.up();
  const tidy = `module.exports = async () => {
  let ticks = 0;
  await new Promise((resolve) => {
    const ticking = setInterval(() => {
      if (++ticks < 20) return;
      clearInterval(ticking);
      resolve();
    }, 5);
  });
  return { pid: process.pid, folder: process.cwd(), left: process.env.LEFT ?? "nothing" };
};`;
  await using second = await createWorkspace({ program: { "index.js": tidy } });
  await second.up();
  const { pid } = await first.outputs();
  expect(await second.outputs()).toEqual({ pid, folder: second.program, left: "nothing" });
});

test("a program that waits forever when its command fails, with a line of its log, does not hold up the next one in its host", async () => {
  await using _ = await startHosts();
  const waiting = `${keepId}
const pulumi = require("@pulumi/pulumi");
const { ApiToken } = require("pulumi-event-datasets");
const refused = new ApiToken("refused", { expiresIn: "later" });
void pulumi.log.info("a line that waits for its resource", refused);
module.exports = () => new Promise(() => {});`;
  await using first = await createWorkspace({ program: { "index.js": waiting } });
  await first.up({ expectFailure: true });
  const logging = `require("@pulumi/pulumi").log.info("a line of the second");
exports.pid = process.pid;`;
  await using second = await createWorkspace({ program: { "index.js": logging } });
  expect((await second.up()).stdout).toContain("a line of the second");
  const { pid } = await second.outputs();
  expect(pid).toBe(await keptId(first));
});

test("a connection that failed in a program does not fail in the next one, which finds somebody else at its port", async () => {
  await using _ = await startHosts();
  const port = await findFreePort();
  // The second program outlasts gRPC's pause before it connects anew, which is 1.2 s at most.
  const asking = (pause: number) => `const { createRequire } = require("node:module");
const grpc = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js");
const { EngineClient } = require("@pulumi/pulumi/proto/engine_grpc_pb");
const { LogRequest } = require("@pulumi/pulumi/proto/engine_pb");
const { grpcClientOptions } = require("@pulumi/pulumi/runtime/settings");
const client = new EngineClient("127.0.0.1:${port}", grpc.credentials.createInsecure(), grpcClientOptions);
module.exports = async () => {
  await new Promise((resolve) => setTimeout(resolve, ${pause}));
  const { code } = await new Promise((resolve) => client.log(new LogRequest(), resolve));
  return { pid: process.pid, answer: grpc.status[code] };
};`;
  await using first = await createWorkspace({ program: { "index.js": asking(0) } });
  await using second = await createWorkspace({ program: { "index.js": asking(1_500) } });
  await first.up();
  // gRPC reads a 404 as UNIMPLEMENTED.
  const server = createServer((_request, response) => response.writeHead(404).end()).listen(port, "127.0.0.1");
  const sessions: ServerHttp2Session[] = [];
  server.on("session", (session) => sessions.push(session));
  await once(server, "listening");
  await using _server = {
    // One that the first program left would never end.
    [Symbol.asyncDispose]: () => {
      for (const session of sessions) session.destroy();
      return server[Symbol.asyncDispose]();
    },
  };
  const { pid, answer } = await first.outputs();
  expect(answer).toBe("UNAVAILABLE");
  await second.up();
  expect(await second.outputs()).toEqual({ pid, answer: "UNIMPLEMENTED" });
  expect(sessions.length).toBe(1);
});

test("a lookup that its program did not wait for does not fail the next one, after whose start it is refused", async () => {
  await using _ = await startHosts();
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await using service = await startService(async (...exchange) => {
    const [, { call }] = exchange;
    if (call === "GET /v2/tokens") {
      asked.resolve();
      await released.promise;
      return json(403, {})(...exchange);
    }
    if (call === "GET /release") released.resolve();
    await asked.promise;
    return json(200, {})(...exchange);
  });
  const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "xaat-1" };
  const failing = `const { getTokens } = require("pulumi-event-datasets");
void getTokens();
module.exports = async () => {
  await fetch("${service.url}/asked");
  throw new Error("on purpose");
};`;
  await using first = await createWorkspace({ program: { "index.js": failing }, env });
  await first.up({ expectFailure: true });
  const releasing = `module.exports = async () => {
  for (const path of ["release", "", "", ""]) await fetch("${service.url}/" + path);
  return { ended: true };
};`;
  await using second = await createWorkspace({ program: { "index.js": releasing }, env });
  await second.up();
  expect(await second.outputs()).toEqual({ ended: true });
});

test("a program that throws leaves its host for the next one", async () => {
  await using _ = await startHosts();
  const failing = `${keepId}
throw new Error("on purpose");`;
  await using first = await createWorkspace({ program: { "index.js": failing } });
  await first.up({ expectFailure: true });
  await using second = await createWorkspace({ program: { "index.js": "exports.pid = process.pid;" } });
  await second.up();
  expect(await second.outputs()).toEqual({ pid: await keptId(first) });
});

test("a program that fails at the end of its process, and ignores failures, ends its host, and its command ends", async () => {
  await using _ = await startHosts();
  const failing = `process.on("unhandledRejection", () => {});
process.on("exit", () => { throw new Error("on purpose, at the exit"); });
exports.pid = process.pid;`;
  await using first = await createWorkspace({ program: { "index.js": failing } });
  expect((await first.up()).stdout).toContain("on purpose, at the exit");
  await using second = await createWorkspace({ program: { "index.js": "exports.pid = process.pid;" } });
  await second.up();
  expect((await second.outputs()).pid).not.toBe((await first.outputs()).pid);
});

test("a program that prints nothing from now on does not silence the next one in its host", async () => {
  await using _ = await startHosts();
  const silent = `for (const stream of [process.stdout, process.stderr]) stream.write = () => true;
exports.pid = process.pid;`;
  await using first = await createWorkspace({ program: { "index.js": silent } });
  await first.up();
  const printing = `process.stdout.write("a line of the second\\n");
exports.pid = process.pid;`;
  await using second = await createWorkspace({ program: { "index.js": printing } });
  expect((await second.up()).stdout).toContain("a line of the second");
  expect(await second.outputs()).toEqual(await first.outputs());
});
