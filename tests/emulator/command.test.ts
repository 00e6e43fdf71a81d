import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import { findSecret } from "../support/secrets";
import { makeFolder } from "../support/suite";

const main = path.resolve("emulator/dist/main.js");

const run = (options: readonly string[], env = process.env, cwd = process.cwd()) =>
  spawn(process.execPath, [main, ...options], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });

/** The output of a process and its exit code. */
async function outcomeOf(child: ReturnType<typeof run>) {
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, err, code };
}

/** The command line with a program in JavaScript as the command after `--`. */
const runWith = (options: readonly string[], program: string) =>
  run(["--port", "0", ...options, "--", process.execPath, "-e", program]);

/** Sends a request as a client with the settings of the environment. */
const sending = `const send = async (line, body) => {
  const [method, target] = line.split(" ");
  const headers = { authorization: "Bearer " + process.env.EVENT_DATASETS_ACCESS_TOKEN, "content-type": "application/json" };
  const answer = await fetch(process.env.EVENT_DATASETS_BASE_URL + target, { method, headers, body: body && JSON.stringify(body) });
  return answer.json();
};`;

test("a command after -- finds the service in its environment; its exit code counts, and the data stays for the next one", async () => {
  const options = ["--data", makeFolder(), "--profile", "extended"];
  const create = `${sending} send("POST /v2/tokens", { name: "ci" }).then(() => process.exit(7))`;
  expect(await outcomeOf(runWith(options, create))).toMatchObject({ out: "", code: 7 });
  const list = `${sending} send("GET /v2/tokens").then(([{ name }]) => console.log(name, process.env.EVENT_DATASETS_PROFILE))`;
  expect(await outcomeOf(runWith(options, list))).toMatchObject({ out: "ci extended\n", code: 0 });
});

test("--sample loads events of the last hour once", async () => {
  const options = ["--data", makeFolder(), "--sample"];
  const apl = "['web'] | where _time > ago(2h) and status == 500 | count";
  const count = `${sending} send("POST /v1/datasets/_apl", { apl: ${JSON.stringify(apl)} }).then(({ buckets }) =>
    console.log(buckets.totals[0].aggregations[0].value))`;
  for (const loaded of ["1200 events loaded", "as it is in the data folder"])
    expect(await outcomeOf(runWith(options, count))).toMatchObject({
      out: "60\n",
      err: expect.stringContaining(loaded),
    });
});

test("a signal reaches the command once, and the service stops after it", async () => {
  const program = `let n = 0; process.on("SIGTERM", () => setTimeout(() => process.exit(10 + ++n), 200));
    setInterval(() => {}, 1000); console.log("ready");`;
  const child = runWith(["--data", makeFolder()], program);
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([11, null]);
});

test("it prints its address when it is ready and its page on standard error, and exits with 0 on a signal", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const data = makeFolder();
    const child = run(["--data", data, "--port", "0"], { EVENT_DATASETS_ROOT_TOKEN: "root-token" });
    const said = text(child.stderr);
    const [, url] = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/m.exec(String(await once(child.stdout, "data"))) ?? [];
    const headers = { authorization: "Bearer root-token" };
    expect((await fetch(`${url}/v2/tokens`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/v2/annotations`, { headers })).status).toBe(405); // the documented profile
    expect(await (await fetch(`${url}/`)).text()).toContain("<title>Event datasets emulator</title>");
    for (const file of ["page.js", "page.css", "icon.svg"])
      expect((await fetch(`${url}/_page/${file}`)).headers.get("content-type")).toMatch(/javascript|css|svg/);
    const ended = once(child, "exit");
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(await said).toBe(`event-datasets-emulator: page ${url}/ (asks for the root token)\n`);
    expect(await readdir(data)).toEqual(["objects.sqlite", "owner.pid"]);
  }
});

test("without a root token it creates one and prints it on the second line; its data is in .event-datasets", async () => {
  const cwd = makeFolder();
  const child = run(["--port", "0"], { EVENT_DATASETS_ROOT_TOKEN: "" }, cwd);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const url = String((await lines.next()).value).replace("listening on ", "");
  const token = /^root token (xaat-[0-9a-f-]{36})$/.exec(String((await lines.next()).value))?.[1] ?? "";
  expect((await fetch(`${url}/v2/tokens`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  expect(await findSecret({ folders: [path.join(cwd, ".event-datasets")] }, token)).toEqual([]);
  child.kill("SIGKILL");
  await once(child, "exit");
});

test("of many processes that start on one folder at once, one serves and the others are refused", async () => {
  const data = makeFolder();
  const contenders = Array.from({ length: 6 }, () => run(["--data", data, "--port", "0"]));
  const outcomes = await Promise.all(
    contenders.map(async (child) => {
      const said = text(child.stderr);
      await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
      return child.exitCode === null ? "serves" : `${child.exitCode} ${await said}`;
    }),
  );
  for (const child of contenders) if (child.kill("SIGKILL")) await once(child, "exit");
  expect(outcomes.filter((outcome) => outcome === "serves")).toHaveLength(1);
  for (const outcome of outcomes.filter((outcome) => outcome !== "serves"))
    expect(outcome).toContain(
      `2 event-datasets-emulator: ${data} is in use by another event-datasets server (process `,
    );
});

const old = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });',
  )}`,
};

test.each<readonly [options: readonly string[], message: string, env?: NodeJS.ProcessEnv]>([
  [["--port", "65536"], "--port: must be a whole number from 0 to 65535"],
  [["--port", "80.0"], "--port: must be a whole number from 0 to 65535"],
  [["--rate-limit", "1.0"], "--rate-limit: must be a whole number from 1"],
  [["--rate-limit", "0"], "--rate-limit: must be a whole number from 1"],
  [["--profile", "full"], "--profile: must be one of documented, extended"],
  [
    ["--root-token", "two words"],
    "--root-token (or EVENT_DATASETS_ROOT_TOKEN): must be printable ASCII without spaces",
  ],
  [["--query-timeout", "0"], "--query-timeout: must be a number of seconds, more than 0 and at most 86400"],
  [["--dataset", "web"], "--dataset: must be <name>=<file>"],
  [["--data", main], `--data ${main}: cannot be used: EEXIST: file already exists, mkdir '${main}'`],
  [["--"], "name a command after --"],
  [[], `event-datasets-emulator needs Node.js 22.19 or newer, but this is ${process.version}`, old],
])("%j is refused in one line", async (options, message, ...[env]) => {
  const err = `${env ? "" : "event-datasets-emulator: "}${message}\n`;
  expect(await outcomeOf(run(options, { ...process.env, ...env }))).toEqual({ out: "", err, code: 2 });
});

test("a command that cannot be started is named", async () => {
  const options = ["--port", "0", "--data", makeFolder(), "--", "no-such-command"];
  const err = expect.stringContaining(": cannot run no-such-command: spawn no-such-command ENOENT\n");
  expect(await outcomeOf(run(options))).toEqual({ out: "", err, code: 2 });
});
