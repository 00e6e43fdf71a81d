import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { builtEmulator } from "../support/checkout";
import { findSecret } from "../support/secrets";

/** The script of the package's `bin`; `npm test` builds it before the tests. */
const MAIN = builtEmulator();

const rootToken = "root-token-of-the-serve-tests";
const headers = { authorization: `Bearer ${rootToken}`, "content-type": "application/json" };

const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "event-datasets-serve-"));
  folders.push(folder);
  return folder;
}

/** Starts `event-datasets-emulator` with nothing of the test's environment but these variables. */
function start(args: readonly string[], env: Record<string, string> = {}, cwd = os.tmpdir()) {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** Runs a command to its end. */
async function run(args: readonly string[], env: Record<string, string> = {}, cwd?: string) {
  const child = start(args, env, cwd);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

/** A served emulator that is ready, with the lines it prints. */
async function serve(data: string, args: readonly string[] = [], env = { EVENT_DATASETS_ROOT_TOKEN: rootToken }) {
  const child = start(["--data", data, "--port", "0", ...args], env);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: first } = await lines.next();
  const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(first)?.[1];
  if (!url) throw new Error(`not an address: ${first}\n${await text(child.stderr)}`);
  return { child, url, lines };
}

async function create(url: string, name: string): Promise<{ id: string; token: string }> {
  const body = JSON.stringify({ name, orgCapabilities: { apiTokens: ["read"] } });
  const answer = await fetch(`${url}/v2/tokens`, { method: "POST", headers, body });
  if (answer.status !== 200) throw new Error(`status ${answer.status}`);
  return answer.json() as Promise<{ id: string; token: string }>;
}

test("serve prints its address when it is ready, and exits with 0 on SIGTERM and on SIGINT", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const data = await newFolder();
    const { child, url } = await serve(data);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await create(url, "ci");
    const ended = once(child, "exit");
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(await readdir(data)).toEqual(["objects.sqlite", "owner.pid"]);
  }
});

test("serve prints the address of its page on standard error, and the page exists", async () => {
  const { child, url } = await serve(await newFolder());
  const { value } = await createInterface(child.stderr)[Symbol.asyncIterator]().next();
  expect(value).toBe(`event-datasets-emulator: page ${url}/ (asks for the root token)`);
  expect(await (await fetch(url)).text()).toContain("<title>Event datasets emulator</title>");
  for (const file of ["page.js", "page.css", "icon.svg"])
    expect((await fetch(`${url}/_page/${file}`)).headers.get("content-type")).toMatch(/javascript|css|svg/);
});

test("without a root token serve creates one and prints it on the second line", async () => {
  const data = await newFolder();
  const { url, lines } = await serve(data, [], { EVENT_DATASETS_ROOT_TOKEN: "" });
  const token = /^root token (xaat-[0-9a-f-]{36})$/.exec((await lines.next()).value)?.[1] ?? "";
  const answer = await fetch(`${url}/v2/tokens`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  expect(await findSecret({ folders: [data] }, token)).toEqual([]);
});

test("the root token can be an option, which overrides the environment", async () => {
  const { url } = await serve(await newFolder(), ["--root-token", "of-the-option"]);
  const statusFor = async (token: string) =>
    (await fetch(`${url}/v2/tokens`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect([await statusFor("of-the-option"), await statusFor(rootToken)]).toEqual([200, 401]);
});

test("by default serve has the documented profile ", async () => {
  const plain = await serve(await newFolder());
  const more = await serve(await newFolder(), ["--profile", "extended"]);
  const statusOf = async (url: string, method: string, path: string) =>
    (await fetch(url + path, { method, headers, ...(method === "POST" && { body: "{}" }) })).status;
  expect(await statusOf(plain.url, "GET", "/v2/annotations")).toBe(405);
  expect(await statusOf(more.url, "GET", "/v2/annotations")).toBe(200);
});

test("--rate-limit refuses requests above the limit for a minute", async () => {
  const { url } = await serve(await newFolder(), ["--rate-limit", "2", "--profile", "extended"]);
  const statuses: number[] = [];
  // Up to six in a row lie in two minutes at most, each of which takes two.
  for (let request = 0; request < 6; request++) statuses.push((await fetch(`${url}/health`)).status);
  expect(statuses).toContain(429);
  expect(statuses.slice(0, 2)).toContain(200);
});

test("by default the data is in .event-datasets in the current folder", async () => {
  const cwd = await newFolder();
  const child = start(["--port", "0"], {}, cwd);
  await once(child.stdout, "data");
  expect(await readdir(path.join(cwd, ".event-datasets"))).toEqual([
    "objects.sqlite",
    "objects.sqlite-wal",
    "owner.pid",
  ]);
});

test("kill -9 during a stream of creates loses no acknowledged one", async () => {
  const data = await newFolder();
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < 8; round++) {
    const { child, url } = await serve(data);
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let n = 0; ; n++) {
        const made = await create(url, `${round}-${writer}-${n}`);
        acknowledged.set(made.id, made.token);
      }
    });
    const stopped = Promise.allSettled(writers);
    while (acknowledged.size < (round + 1) * 20) await sleep(1);
    await sleep(Math.random() * 20);
    await kill(child);
    await stopped;
  }

  const { url } = await serve(data);
  const listed = (await (await fetch(`${url}/v2/tokens`, { headers })).json()) as { id: string }[];
  const ids = new Set(listed.map((token) => token.id));
  expect([...acknowledged.keys()].filter((id) => !ids.has(id))).toEqual([]);
  // Other tokens were being created when the process died: at most one for each writer and round.
  expect(ids.size - acknowledged.size).toBeLessThanOrEqual(8 * 8);
  const [id, token] = [...acknowledged].at(-1) ?? [];
  const own = await fetch(`${url}/v2/tokens/${id}`, { headers: { authorization: `Bearer ${token}` } });
  expect(own.status).toBe(200);
});

test("if many processes find a stale lock at once, one serves and the others are refused", async () => {
  const data = await newFolder();
  await writeFile(path.join(data, "lock-999999999"), "");
  const contenders = Array.from({ length: 6 }, () => start(["--data", data, "--port", "0"]));
  const errors: string[] = [];
  let serving: ChildProcess[] = [];
  await Promise.all(
    contenders.map(async (child) => {
      const stderr = text(child.stderr);
      await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
      if (child.exitCode === null) serving = [...serving, child];
      else errors.push(`${child.exitCode} ${await stderr}`);
    }),
  );
  expect(serving).toHaveLength(1);
  for (const error of errors)
    expect(error).toContain(`2 event-datasets-emulator: ${data} is in use by another event-datasets server (process `);
});

test("a port in use, a folder that cannot be used and a damaged file are errors with exit code 2", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  const folder = await newFolder();
  expect(await run(["--data", folder, "--port", String(port)])).toEqual({
    code: 2,
    stdout: "",
    stderr: `event-datasets-emulator: --port ${port}: already in use; --port 0 takes any free one\n`,
  });
  taken.close();

  const file = path.join(folder, "file");
  await writeFile(file, "");
  const unusable = await run(["--data", file, "--port", "0"]);
  expect(unusable.code).toBe(2);
  expect(unusable.stderr).toContain(`event-datasets-emulator: --data ${file}: cannot be used: EEXIST`);

  await writeFile(path.join(folder, "objects.sqlite"), "something else\n".repeat(100));
  const damaged = await run(["--data", folder, "--port", "0"]);
  expect(damaged.code).toBe(2);
  expect(damaged.stderr).toContain(`event-datasets-emulator: ${path.join(folder, "objects.sqlite")}: damaged`);
});
