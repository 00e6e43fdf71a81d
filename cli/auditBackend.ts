import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { StackIdentity } from "../audit";
import type { RunningUpdate, UpdateStatus } from "../audit/declared";
import { parseJson } from "../audit/jsonFile";
import { defined } from "../values/defined";
import { isObject } from "../values/json";
import type { Io } from "./command";
import { withProgress } from "./progress";
import { runPulumi } from "./pulumi";
import { say } from "./text";

/** A stack of a backend. */
export interface ListedStack {
  /** The value of `--stack`, which is valid in every folder. */
  readonly name: string;
  readonly identity: StackIdentity;
  /** The time of its last update, as the Pulumi CLI prints it. Pulumi Cloud has none during an update. */
  readonly lastUpdate: string | undefined;
  /** Undefined if the backend does not show it, or the stack was never updated. */
  readonly isUpdating: boolean | undefined;
}

/** Where the Pulumi CLI keeps its stacks. */
export interface Backend {
  /** The address without a password and parameters. */
  readonly address: string;
  /** Whether all its stacks have the organization "organization", and the CLI shortens their names in a project's folder. */
  readonly isSelfManaged: boolean;
  /** The environment with which commands reach it from every folder. */
  readonly env: Io["env"];
}

/** The one organization of a self-managed backend. */
const onlyOrganization = "organization";

/**
 * The backend that the Pulumi CLI uses in this folder.
 * @throws Error with what the CLI says
 */
export async function findBackend(io: Io): Promise<Backend> {
  const label = "the backend";
  const answer = parseJson(await runPulumi(["whoami", "--verbose", "--json"], label, io), label);
  const url = isObject(answer) ? answer.url : undefined;
  if (typeof url !== "string" || url === "") throw new Error(`${label}: unexpected output of "pulumi whoami"`);
  const backend = backendAt(url, io.env);
  // For a service, the CLI prints the page of the user, which is not a valid PULUMI_BACKEND_URL.
  if (!backend.isSelfManaged) return { ...backend, env: io.env };
  // The CLI may print an address without its password.
  return { ...backend, env: backendAt(io.env.PULUMI_BACKEND_URL || url, io.env).env };
}

export const backendAt = (url: string, env: Io["env"]): Backend => ({
  address: url.replace(/[?#].*$/s, "").replace(/^(\w+:\/\/)[^/]*@/, "$1"),
  isSelfManaged: !/^https?:/.test(url),
  env: { ...env, PULUMI_BACKEND_URL: fromAnywhere(url) },
});

/** The address of a backend for commands that run in another folder. */
function fromAnywhere(url: string): string {
  const [, place = "", options = ""] = /^file:\/\/(.*?)(\?.*)?$/s.exec(url) ?? [];
  return place === "" || /^[/~]/.test(place) ? url : `file://${path.resolve(place)}${options}`;
}

/** The first of these files or folders that exists in a folder, or in the nearest folder above it. */
export function findAbove(folder: string, names: readonly string[]): string | undefined {
  const found = names.map((name) => path.join(folder, name)).find((place) => existsSync(place));
  const above = path.dirname(folder);
  return found ?? (above === folder ? undefined : findAbove(above, names));
}

/** The file of the project that a folder belongs to: the nearest in the folder or above it, as for the Pulumi CLI. */
export const findProjectFile = (folder: string): string | undefined =>
  findAbove(folder, ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]);

/** Whether the project of this folder names its own backend, so that other projects can have different ones. */
export async function hasOwnBackend(): Promise<boolean> {
  const file = findProjectFile(process.cwd());
  const text = file === undefined ? "" : await readFile(file, "utf8").catch(() => "");
  return /^\s*"?backend"?\s*:/m.test(text);
}

/**
 * Lists every stack of a backend by its full name.
 * @throws Error with what the CLI says, and for an ambiguous name
 */
export async function listStacks(backend: Backend, io: Io): Promise<ListedStack[]> {
  const list = await listByCli(backend, io);
  if (list.length > 0) return list.map((stack) => ({ ...stack, ...nameListed(stack.identity, backend) }));
  throw new Error(`the Pulumi CLI lists no stacks: is it logged in to the backend?`);
}

type Parts = Omit<StackIdentity, "backend">;

async function listByCli(backend: Backend, io: Io): Promise<Omit<ListedStack, "name">[]> {
  const label = "the list of stacks";
  // In a project's folder the CLI prints short names, and for a self-managed backend it prints nothing else to identify a stack.
  const folder = backend.isSelfManaged ? path.parse(process.cwd()).root : undefined;
  const printed = runPulumi(["stack", "ls", "--all", "--json"], label, backend, folder);
  const list = parseJson(await withProgress(say`listing the stacks`, io.progress, printed), label);
  if (!Array.isArray(list)) throw new Error(`${label}: unexpected output of the Pulumi CLI`);
  return list.map((stack) => {
    const { name, url, lastUpdate, updateInProgress } = isObject(stack) ? stack : {};
    if (typeof name !== "string" || name === "") throw new Error(`${label}: unexpected output of the Pulumi CLI`);
    const parts = name.split("/");
    // For a service, the CLI prints the page of each stack; its path ends with the full name.
    const page = typeof url === "string" ? new URL(url).pathname.split("/").slice(-3).map(decodeURIComponent) : [];
    return {
      identity: partsOf(parts.length < 3 && page.length === 3 && page.at(-1) === parts.at(-1) ? page : parts),
      lastUpdate: typeof lastUpdate === "string" ? lastUpdate : undefined,
      isUpdating: typeof updateInProgress === "boolean" ? updateInProgress : undefined,
    };
  });
}

const partsOf = (parts: readonly string[]): Parts => {
  const [stack, project, organization] = [...parts].reverse();
  return parts.length === 3 ? { organization, project, stack } : { stack: parts.join("/") };
};

function nameListed(parts: Parts, { address, isSelfManaged }: Backend): Pick<ListedStack, "name" | "identity"> {
  const { organization, project, stack = "" } = parts;
  const identity = { backend: address, ...parts };
  if (organization !== undefined) return { name: `${organization}/${project}/${stack}`, identity };
  // A backend of the old layout, in which stacks have no project.
  if (isSelfManaged && !stack.includes("/")) return { name: stack, identity };
  throw new Error(
    `the list of stacks: ${stack} does not name its organization and project: run this in a folder outside of any project`,
  );
}

/** The parts of a value of `--stack`: `dev`, `acme/dev` or `acme/web/dev`. The state has the other parts. */
export function identityOfName(name: string | undefined, backend: Backend | undefined): StackIdentity {
  const parts = name?.split("/") ?? [];
  const organization = parts.length > 1 ? parts[0] : backend?.isSelfManaged ? onlyOrganization : undefined;
  const project = parts.length === 3 ? parts[1] : undefined;
  return { backend: backend?.address, organization, project, stack: parts.at(-1) };
}

/** Whether an update of a stack is running; undefined if the backend does not show it. */
export async function findUpdate(
  stack: Pick<ListedStack, "name" | "isUpdating">,
  backend: Backend,
): Promise<UpdateStatus | undefined> {
  if (!backend.isSelfManaged) return stack.isUpdating === undefined ? undefined : stack.isUpdating ? {} : "none";
  const root = folderOf(backend);
  return root === undefined ? undefined : await readLocks(root, stack.name);
}

/** The folder of a `file://` backend; undefined for every other backend, and for a folder that is not known. */
function folderOf({ env: { PULUMI_BACKEND_URL: url = "" } }: Backend): string | undefined {
  const [, place = ""] = /^file:\/\/([^?#]*)/.exec(url) ?? [];
  const folder = place.replace(/^~(?=\/|$)/, findHome);
  return path.isAbsolute(folder) ? folder : undefined;
}

/** The home folder as the engine (3.276.0, `backend/diy/backend.go`) finds it: that of the system's user, whatever HOME says. */
function findHome(): string {
  try {
    return os.userInfo().homedir;
  } catch {
    return "~"; // the system does not know the user
  }
}

/** The engine (3.276.0, `backend/diy/lock.go`) writes one file for each update into `.pulumi/locks/<stack's full name>`. */
async function readLocks(root: string, name: string): Promise<UpdateStatus | undefined> {
  const folder = path.join(root, ".pulumi", "locks");
  try {
    await stat(path.dirname(folder));
    const files = await readdir(path.join(folder, ...name.split("/"))).catch(orNothing);
    const locks = files.filter((file) => file.endsWith(".json")).map((file) => path.join(folder, name, file));
    const updates = (await Promise.all(locks.map(readLock))).flat();
    return updates.find(({ isGone }) => !isGone) ?? updates[0] ?? "none";
  } catch {
    return undefined; // a backend that cannot be looked into tells nothing
  }
}

/** The engine removes a lock after the update, and with the last one the folder can go. */
function orNothing(failure: NodeJS.ErrnoException): [] {
  if (failure.code !== "ENOENT") throw failure;
  return [];
}

/** The update of a lock; none if the lock was just removed. A lock that is being written is empty. */
async function readLock(file: string): Promise<RunningUpdate[]> {
  const texts: string[] = await readFile(file, "utf8").then((text) => [text], orNothing);
  return texts.map((text) => updateOf(parseJson(text || "{}", "a lock")));
}

function updateOf(lock: unknown): RunningUpdate {
  const { pid, hostname, timestamp } = isObject(lock) ? lock : {};
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  const since = Number.isNaN(time) ? undefined : new Date(time).toISOString();
  const isGone = typeof pid === "number" && hostname === os.hostname() && !isRunning(pid) ? (true as const) : undefined;
  return defined({ since, isGone });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
