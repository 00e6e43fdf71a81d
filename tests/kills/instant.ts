import { execFile } from "node:child_process";
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Profile } from "../../sdk";
import { pass } from "../faults/behaviours";
import { type Behaviour, FaultProxy, forwardTo } from "../faults/proxy";
import { cli } from "../support/cli";
import type { RunningCommand } from "../support/command";
import { startTemporaryEmulator } from "../support/deployment";
import { createWorkspace, type Workspace } from "../support/engine";

export const commands = ["up", "rotation", "refresh", "destroy"] as const;
export const victims = ["engine", "provider", "service", "Ctrl-C", "Ctrl-C twice"] as const;

/** Who is killed, while what runs, and when. */
export interface Instant {
  readonly command: (typeof commands)[number];
  readonly victim: (typeof victims)[number];
  readonly profile: Profile;
  /** Milliseconds after the start of the command; or once so many requests arrived. */
  readonly after: { readonly milliseconds: number } | { readonly requests: number };
}

/** What an instant came to. */
export interface Aftermath {
  readonly problems: readonly string[];
  /** Live tokens that no state tracks in the end; all of them were named. */
  readonly orphans: number;
  readonly ups: number;
  readonly emptyAttributes: boolean;
}

const program = (generation: number) => `const { Annotation, ApiToken } = require("pulumi-event-datasets");
const rotation = { triggers: { generation: ${generation} } };
for (const name of ["a", "b", "c"])
  exports[name] = new ApiToken(name, { orgCapabilities: { apiTokens: ["read"] }, rotation }).token;
new Annotation("deployed", { datasets: ["web"], type: "deploy", triggers: { generation: ${generation} } });
`;

/** Kills at one instant, mends it as the README says, and looks at what is left. */
export async function runInstant(instant: Instant): Promise<Aftermath> {
  await using service = await startTemporaryEmulator({ profile: instant.profile });
  const names: string[] = [];
  const noting: Behaviour = (exchange) => {
    names.push(JSON.parse(exchange.request.body.toString()).name);
    return pass(exchange);
  };
  const isCreate = (method: string, target: string) => method === "POST" && target === "/v2/tokens";
  const injected = { behaviour: noting, meets: isCreate, times: Number.POSITIVE_INFINITY };
  await using proxy = await FaultProxy.start(forwardTo(service.url), injected);
  await using workspace = await createWorkspace({
    program: { "index.js": program(1) },
    env: {
      EVENT_DATASETS_BASE_URL: proxy.url,
      EVENT_DATASETS_ACCESS_TOKEN: service.rootToken,
      EVENT_DATASETS_PROFILE: instant.profile,
    },
  });
  if (instant.command !== "up") await workspace.up();
  if (instant.command === "rotation") await workspace.writeFile("index.js", program(2));
  await strike(instant, workspace, proxy);
  const emptyAttributes = await removeEmptyAttributes(workspace);
  await workspace.run(["cancel", "--yes"], { expectFailure: "either" });
  const pending = await pendingNames(workspace);
  await workspace.refresh({ args: ["--clear-pending-creates"], expectFailure: "either" });
  let ups = 1;
  while ((await workspace.up({ expectFailure: "either" })).code !== 0 && ups < 4) ups += 1;
  const { problems, orphans } = await lookAt(
    workspace,
    { url: proxy.url, rootToken: service.rootToken, live: service.tokens.list() },
    pending,
    // Of a create that fails while the engine goes on, the engine keeps no pending operation.
    instant.victim === "engine" && instant.profile === "extended",
  );
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  return {
    problems: [...problems, ...twice.map((name) => `a create of ${name} was sent twice`)],
    orphans,
    ups,
    emptyAttributes,
  };
}

async function strike({ command, victim, after }: Instant, workspace: Workspace, proxy: FaultProxy): Promise<void> {
  const before = proxy.calls.length;
  const args = command === "rotation" ? ["up"] : [command];
  const running = await workspace.start([...args, "--yes", "--skip-preview"]);
  if ("milliseconds" in after) await Promise.race([sleep(after.milliseconds), running.done]);
  else await until(running, () => proxy.calls.length - before >= after.requests);
  switch (victim) {
    case "engine":
      running.kill("SIGKILL");
      break;
    case "provider":
      for (const pid of await providers(workspace)) killQuietly(pid);
      break;
    case "service":
      await proxy.stop();
      await sleep(600);
      await proxy.listen();
      break;
    default:
      running.kill("SIGINT");
      if (victim === "Ctrl-C twice") {
        await sleep(50);
        running.kill("SIGINT");
      }
  }
  await running.done;
  await until(undefined, async () => (await providers(workspace)).length === 0);
}

async function until(running: RunningCommand | undefined, holds: () => boolean | Promise<boolean>): Promise<void> {
  let ended = false;
  void running?.done.then(() => {
    ended = true;
  });
  for (let look = 0; look < 600 && !ended && !(await holds()); look++) await sleep(50);
}

async function providers(workspace: Workspace): Promise<number[]> {
  const pids = await workspace.processes();
  if (pids.length === 0) return [];
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,args=", "-p", pids.join(",")]).catch(() => ({
    stdout: "",
  }));
  return stdout
    .split("\n")
    .filter((line) => line.includes("dynamic-provider"))
    .map((line) => Number.parseInt(line, 10));
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    return; // it ended by itself meanwhile
  }
}

/** On a file backend a killed engine leaves one now and then, and every command says EOF. */
async function removeEmptyAttributes(workspace: Workspace): Promise<boolean> {
  const files = (await readdir(workspace.backend, { recursive: true })).filter((file) => file.endsWith(".attrs"));
  let found = false;
  for (const file of files.map((name) => path.join(workspace.backend, name))) {
    if ((await stat(file)).size > 0) continue;
    found = true;
    await rm(file);
  }
  return found;
}

async function pendingNames(workspace: Workspace): Promise<string[]> {
  const { pending_operations: pending = [] } = (await workspace.export()).deployment;
  return pending.map(({ resource }) => String(resource.inputs?.name));
}

/** The report of `event-datasets audit` on the exported state. */
async function auditOf(workspace: Workspace, url: string, rootToken: string): Promise<string> {
  await workspace.run(["stack", "export", "--file", "exported.json"]);
  const env = { EVENT_DATASETS_BASE_URL: url, EVENT_DATASETS_ACCESS_TOKEN: rootToken };
  const { stdout } = await cli(["audit", "--state", "exported.json", "--output", "json"], {
    cwd: workspace.program,
    env,
  });
  return stdout;
}

interface Remaining {
  readonly url: string;
  readonly rootToken: string;
  readonly live: readonly { readonly id?: unknown; readonly name?: unknown }[];
}

/** What must hold in the end: what is declared is there and works, and whatever else is alive was named. */
async function lookAt(
  workspace: Workspace,
  { url, rootToken, live }: Remaining,
  pending: readonly string[],
  isEngineKilled: boolean,
): Promise<Pick<Aftermath, "problems" | "orphans">> {
  const problems: string[] = [];
  const { resources = [] } = (await workspace.export()).deployment;
  const tracked = new Set(resources.map(({ id }) => id));
  const report = await auditOf(workspace, url, rootToken);
  const orphans = live.filter(({ id }) => !tracked.has(String(id)));
  for (const { id, name } of orphans) {
    if (!report.includes(`"${id}"`)) problems.push(`the audit does not name the live token ${id} ${name}`);
    if (isEngineKilled && !pending.includes(String(name))) problems.push(`no pending create names ${id} ${name}`);
  }
  const outputs = await workspace.outputs({ showSecrets: true });
  for (const name of ["a", "b", "c"]) {
    const answer = await fetch(`${url}/v2/tokens`, { headers: { authorization: `Bearer ${outputs[name]}` } });
    if (answer.status !== 200) problems.push(`the secret of ${name} is answered with ${answer.status}`);
  }
  return { problems, orphans: orphans.length };
}
