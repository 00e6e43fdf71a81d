import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "@jest/globals";
import { cli } from "./cli";
import type { CommandResult } from "./command";
import { json, startService } from "./service";
import { exportOf, type RecordedStack } from "./states";

/** The credential of the audits; a canary: it must be in nothing that they print. */
export const credential = "xapt-canary-0a1b2c3d4e5f";

/** A folder with the state of an empty stack, in which commands run as a user runs them. */
export class AuditFolder implements AsyncDisposable {
  path = "";

  static async create(): Promise<AuditFolder> {
    const folder = new AuditFolder();
    await folder.open();
    return folder;
  }

  /** Makes the folder anew. */
  async open(): Promise<void> {
    this.path = await mkdtemp(path.join(tmpdir(), "audit-"));
    await this.write("state.json", exportOf({}));
  }

  /** Anything but text and bytes is written as JSON. Resolves to the file's path. */
  async write(name: string, content: unknown, mode = 0o644): Promise<string> {
    const target = path.join(this.path, name);
    await mkdir(path.dirname(target), { recursive: true });
    const isPlain = typeof content === "string" || Buffer.isBuffer(content);
    await writeFile(target, isPlain ? content : JSON.stringify(content), { mode });
    return target;
  }

  read = (name: string): Promise<string> => readFile(path.join(this.path, name), "utf8");

  /** The names of the files, in order. */
  list = async (): Promise<string[]> => (await readdir(this.path)).sort();

  run(
    command: readonly string[],
    service: { readonly url: string },
    env: Record<string, string> = {},
  ): Promise<CommandResult> {
    const connection = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: credential };
    return cli(command, { cwd: this.path, env: { ...connection, ...env } });
  }

  /** Runs a command beside a Pulumi CLI, on a service that lists tokens by their ids and revokes them. */
  async runBeside(cli: FakeCli, live: readonly string[], args: readonly string[], profile = "extended") {
    const list = live.map((id) => ({ id, name: `t${id}`, expiresAt }));
    await using service = await startService((response, request, socket) =>
      request.call.startsWith("DELETE")
        ? void response.writeHead(204).end()
        : json(200, list)(response, request, socket),
    );
    const env = { ...(await fakePulumi(this, cli)), EVENT_DATASETS_PROFILE: profile };
    const ended = await this.run(args, service, env);
    return { ...ended, deletes: service.calls.filter((call) => call.startsWith("DELETE")) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** A folder for a suite, which is made anew for each test. */
export function useAuditFolder(): AuditFolder {
  const folder = new AuditFolder();
  beforeEach(() => folder.open());
  afterEach(() => folder[Symbol.asyncDispose]());
  return folder;
}

/** A stack that the Pulumi CLI knows, by its full name: `acme/web/prod`. */
export interface FakeStack extends RecordedStack {
  readonly name: string;
  /** The output of `pulumi stack export` in place of a state. */
  readonly broken?: string;
  /** The full name that its state has in place of its own. */
  readonly exported?: string;
}

export interface FakeCli {
  readonly stacks: readonly FakeStack[];
  /** The backend that `pulumi whoami` names; default: a service. */
  readonly backend?: string;
  /** The output of `pulumi stack ls` in place of a list. */
  readonly listFails?: string;
  /** The names that `pulumi stack ls` prints; default: the full names. */
  readonly list?: unknown;
}

const service = "https://api.pulumi.example.com/acme";

/** A state as `pulumi stack export` prints it, of a stack that is given by its full name. */
export function exportStack({ name, exported = name, ...recorded }: FakeStack, time = "2026-11-21T12:00:00Z") {
  const [, project = "", stack = ""] = exported.split("/");
  const state = exportOf({ ...recorded, stack });
  state.deployment.manifest.time = time;
  return JSON.parse(JSON.stringify(state).replaceAll("::web::", `::${project}::`)) as typeof state;
}

/** A stack that is not being updated, as Pulumi Cloud lists it. */
export const idle = { current: false, lastUpdate: "2026-11-21T12:00:00.000Z", updateInProgress: false };

/**
 * Puts a `pulumi` into the folder that stands for the Pulumi CLI. It notes what it is asked in the file `asked`, and in which
 * backend in the file `reached`.
 */
export async function fakePulumi(folder: AuditFolder, cli: FakeCli): Promise<Record<string, string>> {
  const { stacks, backend = service, listFails = "" } = cli;
  await mkdir(path.join(folder.path, "bin"), { recursive: true });
  for (const stack of stacks) await folder.write(`bin/${stack.name.replaceAll("/", "_")}.json`, exportStack(stack));
  await folder.write("bin/list.json", cli.list ?? stacks.map(({ name }) => ({ name, ...idle })));
  const broken = stacks
    .filter((one) => one.broken !== undefined)
    .map(({ name, broken: says }) => `*"--stack=${name} "*) echo "error: ${says}" >&2; exit 255 ;;`);
  await folder.write(
    "bin/pulumi",
    `#!/bin/sh
bin=${folder.path}/bin
echo "$*" >>$bin/../asked
echo "$1 $2 in $PULUMI_BACKEND_URL" >>$bin/../reached
case "$1 $2" in
  whoami*) echo '{"user":"u","url":"${backend}"}' ;;
  "stack ls")
    ${listFails === "" ? "" : `echo "error: ${listFails}" >&2; exit 1`}
    cat $bin/list.json ;;
  "stack export")
    case "$* " in
    ${broken.join("\n    ")}
    esac
    cat $bin/"$(echo "$3" | sed 's/--stack=//; s#/#_#g').json" ;;
esac
`,
    0o755,
  );
  return { PATH: `${path.join(folder.path, "bin")}:${process.env.PATH}` };
}

const expiresAt = "2999-01-01T00:00:00Z";

/** A stack of a full name, which declares tokens by their ids. */
export const stackOf = (name: string, ...ids: string[]) => ({
  name,
  tokens: ids.map((id) => ({ id, name: `t${id}`, inputs: { expiresAt }, outputs: { baseUrl: undefined } })),
});
