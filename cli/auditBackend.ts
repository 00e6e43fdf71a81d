import { readdir } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { StackIdentity } from "../audit";
import { isObject } from "../values/json";
import { parseJson } from "./auditSources";
import { stackOfCheckpoint } from "./checkpoints";
import type { Io } from "./command";
import { withProgress } from "./progress";
import { runPulumi } from "./pulumi";
import { say } from "./text";

/** Selects stacks that the Pulumi CLI lists; without members, all. */
export interface StackFilter {
  readonly project: string | undefined;
  readonly organization: string | undefined;
  readonly cwd: string | undefined;
}

/** A stack of a backend. */
export interface ListedStack {
  /** The value for `--stack`, valid in every folder. */
  readonly name: string;
  readonly identity: StackIdentity;
}

/** Where the Pulumi CLI keeps its stacks. */
export interface Backend {
  /** The address without a password and parameters. */
  readonly address: string;
  /** All its stacks have the organization "organization", and the CLI shortens their names in a project's folder. */
  readonly isSelfManaged: boolean;
  /** Its folder on this machine. */
  readonly folder: string | undefined;
  /** The environment with which commands reach it from every folder. */
  readonly env: Io["env"];
}

/** The one organization of a self-managed backend. */
export const onlyOrganization = "organization";

/**
 * The backend that the Pulumi CLI is logged in to in a folder.
 * @throws Error with what the CLI says
 */
export async function findBackend(cwd: string | undefined, io: Io): Promise<Backend> {
  const label = "the backend";
  const printed = await runPulumi(["whoami", "--verbose", "--json"], label, cwd, io);
  const answer = parseJson(printed, label);
  const url = isObject(answer) ? answer.url : undefined;
  if (typeof url !== "string" || url === "") throw new Error(`${label}: not as "pulumi whoami" prints it`);
  const backend = backendAt(url, cwd, io.env);
  // For a service, the CLI prints the page of the user, which is not a valid PULUMI_BACKEND_URL.
  if (!backend.isSelfManaged) return { ...backend, env: io.env };
  // The CLI may print an address without its password.
  return { ...backend, env: backendAt(io.env.PULUMI_BACKEND_URL || url, cwd, io.env).env };
}

/**
 * The backend of a command: that of its option, else that of the environment, else the one that the Pulumi CLI is logged in to.
 * @throws Error with what the CLI says
 */
export async function chooseBackend(option: string | undefined, cwd: string | undefined, io: Io): Promise<Backend> {
  const url = option ?? (io.env.PULUMI_BACKEND_URL || undefined);
  return url === undefined ? findBackend(cwd, io) : backendAt(url, cwd, io.env);
}

const backendAt = (url: string, cwd: string | undefined, env: Io["env"]): Backend => ({
  address: addressOf(url),
  isSelfManaged: !/^https?:/.test(url),
  folder: backendFolderOf(url, cwd),
  env: { ...env, PULUMI_BACKEND_URL: fromAnywhere(url, cwd) },
});

/** The address of a backend for commands that run in another folder. */
function fromAnywhere(url: string, cwd: string | undefined): string {
  const [, place = "", options = ""] = /^file:\/\/(.*?)(\?.*)?$/s.exec(url) ?? [];
  return place === "" || /^[/~]/.test(place) ? url : `file://${path.resolve(cwd ?? ".", place)}${options}`;
}

/** The scheme of an address, with the user name and password that follow it. */
const credentials = /^(\w+:\/\/)[^/]*@/;

/** A parameter with a secret, such as `password` in the address of a database. */
const secretParameter = /[?&][^=&]*(?:password|secret|token)[^=&]*=/i;

/** Whether an address has a user name or a password. */
export const hasCredentials = (url: string): boolean => credentials.test(url) || secretParameter.test(url);

const addressOf = (url: string): string => url.replace(/[?#].*$/s, "").replace(credentials, "$1");

/**
 * The folder of a self-managed backend on disk; undefined for an address of another kind. As for the Pulumi CLI, `~` is the home
 * of the system's user, whatever HOME says, and a relative path counts from the folder that the CLI runs in.
 */
function backendFolderOf(url: string, cwd: string | undefined): string | undefined {
  if (!url.startsWith("file://")) return undefined;
  const place = url.slice("file://".length).replace(/\?.*$/s, "");
  if (place.startsWith("/")) return fileURLToPath(`file://${place}`);
  if (place === "~" || place.startsWith("~/")) return path.join(homeOfUser(), place.slice(1));
  return path.resolve(cwd ?? ".", place);
}

function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    return homedir(); // a container's user that the system does not know
  }
}

/**
 * Lists every stack of a backend by its full name.
 * @throws Error with what the CLI says, for an ambiguous name, and for an organization that the backend cannot have
 */
export async function listStacks(backend: Backend, filter: StackFilter, io: Io): Promise<ListedStack[]> {
  // For a self-managed backend, the CLI ignores this filter.
  if (backend.isSelfManaged && (filter.organization ?? onlyOrganization) !== onlyOrganization)
    throw new Error(`--organization: a self-managed backend has only "${onlyOrganization}"`);
  const list = await listByCli(backend, filter, io).catch(async (failure: Error) => {
    // With one damaged file, the CLI lists nothing, and it does not name the file.
    const names = await listByFiles(backend, filter);
    if (names.length === 0) throw failure;
    io.warn(say`${failure.message}: taking the stacks from the files in ${backend.folder ?? ""}`);
    return names;
  });
  if (list.length > 0) return list.map((parts) => nameListed(parts, backend));
  const { project, organization } = filter;
  const where = [project && `of project ${project}`, organization && `in ${organization}`];
  throw new Error(`the Pulumi CLI lists no stacks ${where.filter(Boolean).join(" ")}: is it logged in to the backend?`);
}

/** The parts of each stack's name. */
async function listByCli(backend: Backend, { project, organization, cwd }: StackFilter, io: Io): Promise<string[][]> {
  const filters = [
    ...(project === undefined ? [] : [`--project=${project}`]),
    ...(organization === undefined ? [] : [`--organization=${organization}`]),
  ];
  const label = "the list of stacks";
  // In a project's folder the CLI prints short names, and for a self-managed backend it prints nothing else to identify a stack.
  const folder = backend.isSelfManaged ? path.parse(process.cwd()).root : cwd;
  const printed = runPulumi(["stack", "ls", "--all", "--json", ...filters], label, folder, backend);
  const list = parseJson(await withProgress(say`listing the stacks`, io.progress, printed), label);
  if (!Array.isArray(list)) throw new Error(`${label}: not as the Pulumi CLI prints it`);
  return list.map((stack) => {
    const { name, url } = isObject(stack) ? stack : {};
    if (typeof name !== "string" || name === "") throw new Error(`${label}: not as the Pulumi CLI prints it`);
    const parts = name.split("/");
    // For a service, the CLI prints the page of each stack; its path ends with the full name.
    const page = typeof url === "string" ? new URL(url).pathname.split("/").slice(-3).map(decodeURIComponent) : [];
    return parts.length < 3 && page.length === 3 && page.at(-1) === parts.at(-1) ? page : parts;
  });
}

/** Lists the stacks whose files are in a backend's folder. */
async function listByFiles({ folder }: Backend, { project }: StackFilter): Promise<string[][]> {
  if (folder === undefined) return [];
  const files = await readdir(path.join(folder, ".pulumi/stacks"), { recursive: true }).catch(() => []);
  const names = files.sort().flatMap((file) => {
    const stored = stackOfCheckpoint(path.join(".pulumi/stacks", file));
    if (stored?.project === undefined) return [];
    return project === undefined || project === stored.project ? [`${stored.project}/${stored.stack}`] : [];
  });
  // A stack can have a compressed file and a plain one.
  return [...new Set(names)].map((name) => [onlyOrganization, ...name.split("/")]);
}

function nameListed(parts: readonly string[], { address, isSelfManaged }: Backend): ListedStack {
  const name = parts.join("/");
  const [organization, project, stack] = parts;
  if (parts.length === 3) return { name, identity: { backend: address, organization, project, stack } };
  // A backend of the old layout, in which stacks have no project.
  if (isSelfManaged && parts.length === 1) return { name, identity: { backend: address, stack: name } };
  throw new Error(
    `the list of stacks: ${name} does not name its organization and project: set --cwd to a folder outside of any project`,
  );
}

/** The parts in a value of `--stack`: `dev`, `acme/dev` or `acme/web/dev`. The state has the other parts. */
export function identityOfName(name: string | undefined, backend: Backend | undefined): StackIdentity {
  const parts = name?.split("/") ?? [];
  const organization = parts.length > 1 ? parts[0] : backend?.isSelfManaged ? onlyOrganization : undefined;
  const project = parts.length === 3 ? parts[1] : undefined;
  return { backend: backend?.address, organization, project, stack: parts.at(-1) };
}
