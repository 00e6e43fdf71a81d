import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type CommandResult, describe, endProcessesWith, processesWith, type RunningCommand, start } from "./command";
import { compiledModules, type ProgramSource, writeInto, writeProgram } from "./program";
import { type KeyService, outputsIn, readCheckpoint, type StackExport, startKeyService, writeStack } from "./stack";
import { withWarmHosts } from "./warmHosts";

export type { StackExport, StateResource } from "./stack";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface WorkspaceOptions {
  /** The program: files by name, or a folder to copy. `Pulumi.yaml` and `package.json` are added if missing. */
  readonly program: ProgramSource;
  /** For every command, for example `EVENT_DATASETS_BASE_URL`. Nothing else of the caller's environment gets in but PATH. */
  readonly env?: Environment;
  readonly timeoutMs?: number;
  /** The engine starts its own hosts for every command. Default: warm hosts. */
  readonly hosts?: "engine";
}

export interface RunOptions {
  /** By default a failure throws with all that was printed. With `true` success throws; with `"either"` nothing does. */
  readonly expectFailure?: boolean | "either";
  /** On top of the workspace's; `undefined` removes a variable. */
  readonly env?: Environment;
  readonly stdin?: string;
  /** For this command only: the engine starts its own hosts. */
  readonly hosts?: "engine";
}

export interface OperationOptions extends RunOptions {
  /** More flags, such as `--expect-no-changes` or `--target`. */
  readonly args?: readonly string[];
}

/** Makes a program with a stack of its own, away from every other, that the real engine runs. */
export async function createWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  // The engine resolves links, so its messages and state name this path.
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), "event-datasets-e2e-")));
  const compiled = await compiledModules();
  // A stack's key comes from a service, unless the test has a passphrase for it.
  const keys = options.env?.PULUMI_CONFIG_PASSPHRASE === undefined ? await startKeyService() : undefined;
  const workspace = new Workspace(root, options, compiled, keys);
  try {
    for (const folder of [workspace.home, workspace.backend, workspace.temp]) await mkdir(folder, { recursive: true });
    await writeProgram(workspace.program, options.program);
    if (workspace.keys) await writeStack(workspace, workspace.keys.settings);
    else await workspace.run(["stack", "init", workspace.stack]);
    return workspace;
  } catch (failure) {
    await workspace[Symbol.asyncDispose]();
    throw failure;
  }
}

/** A Pulumi program with a stack in a temporary folder; `await using` ends and removes everything. */
export class Workspace implements AsyncDisposable {
  /** Holds all below. Tests search it for secrets. */
  readonly root: string;
  readonly program: string;
  /** PULUMI_HOME, and HOME too: credentials, logs, plugins. */
  readonly home: string;
  /** State, its backups and the history. */
  readonly backend: string;
  /** TMPDIR of the engine and of the program. */
  readonly temp: string;
  readonly stack: string = "dev";
  /** Where the stack's key comes from, if not from a passphrase. */
  readonly keys: KeyService | undefined;
  /** Every finished command, oldest first. */
  readonly commands: CommandResult[] = [];
  readonly #env: Environment;
  readonly #timeoutMs: number | undefined;
  readonly #compiled: string;
  readonly #warmHosts: boolean;

  /** @param compiled where Node.js keeps what it compiled */
  constructor(root: string, options: WorkspaceOptions, compiled: string, keys: KeyService | undefined) {
    this.root = root;
    this.program = path.join(root, "program");
    this.home = path.join(root, "home");
    this.backend = path.join(root, "backend");
    this.temp = path.join(root, "temp");
    this.#env = options.env ?? {};
    this.#timeoutMs = options.timeoutMs;
    this.#compiled = compiled;
    this.keys = keys;
    this.#warmHosts = options.hosts !== "engine";
  }

  /** `pulumi up` as a user sees it, less the preview that it starts with (`preview()` is there for that). */
  up(options: OperationOptions = {}): Promise<CommandResult> {
    return this.#operation(["up", "--yes", "--skip-preview"], options);
  }

  preview(options: OperationOptions = {}): Promise<CommandResult> {
    return this.#operation(["preview"], options);
  }

  refresh(options: OperationOptions = {}): Promise<CommandResult> {
    return this.#operation(["refresh", "--yes", "--skip-preview"], options);
  }

  destroy(options: OperationOptions = {}): Promise<CommandResult> {
    return this.#operation(["destroy", "--yes", "--skip-preview"], options);
  }

  /** The state as `pulumi stack export` gives it out, from the file that the engine wrote; secrets stay encrypted. */
  export(): Promise<StackExport> {
    return readCheckpoint(this);
  }

  /** The stack's outputs. Secrets read "[secret]" unless they are asked for; the transcript has neither. */
  async outputs({ showSecrets = false } = {}): Promise<Record<string, unknown>> {
    if (!showSecrets) return outputsIn(await this.export());
    // The command takes an eighth of a second of CPU time. The stacks with a passphrase run it.
    if (this.keys) return outputsIn(await this.export(), this.keys.decrypt);
    const args = ["stack", "output", "--json", "--non-interactive", "--show-secrets"];
    const result = await (await start("pulumi", args, { cwd: this.program, env: this.environment() })).done;
    if (result.code !== 0) throw new Error(describe(result));
    return JSON.parse(result.stdout);
  }

  async setConfig(key: string, value: string, { secret = false } = {}): Promise<void> {
    // By standard input, so that the value appears in no list of processes and in no transcript.
    await this.run(["config", "set", secret ? "--secret" : "--plaintext", key], { stdin: value });
  }

  writeFile(name: string, content: string): Promise<void> {
    return writeInto(this.program, name, content);
  }

  /** Runs `pulumi` with these arguments to its end. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
    const result = await (await this.start(args, options)).done;
    const failed = result.code !== 0;
    const expected = options.expectFailure ?? false;
    if (!result.timedOut && (expected === "either" || failed === expected)) return result;
    const complaint = failed ? "this command failed:" : "this command should have failed:";
    throw new Error(`${complaint}\n${describe(result)}\nbefore it ran:\n${this.transcript(-1)}`);
  }

  /** Starts `pulumi` and leaves it running, for tests that interrupt it. */
  async start(args: readonly string[], options: RunOptions = {}): Promise<RunningCommand> {
    const env = this.environment(options.env);
    const command = await start("pulumi", [...args, "--non-interactive", "--color", "never"], {
      cwd: this.program,
      env: this.#warmHosts && options.hosts !== "engine" ? withWarmHosts(env) : env,
      timeoutMs: this.#timeoutMs,
      stdin: options.stdin,
    }).catch(explain);
    void command.done.then((result) => this.commands.push(result));
    return command;
  }

  /** The commands and their output, for messages. */
  transcript(end?: number): string {
    return this.commands.slice(0, end).map(describe).join("\n");
  }

  /** The running processes of this workspace, the engine's plugins included. */
  processes(): Promise<number[]> {
    return processesWith("PULUMI_HOME", this.home);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endProcessesWith("PULUMI_HOME", this.home);
    await this.keys?.[Symbol.asyncDispose]();
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  #operation(command: readonly string[], { args = [], ...options }: OperationOptions): Promise<CommandResult> {
    return this.run([...command, ...args], options);
  }

  /** The environment of every command. */
  environment(more: Environment = {}): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      HOME: this.home,
      TMPDIR: this.temp,
      NO_COLOR: "1",
      PULUMI_HOME: this.home,
      PULUMI_BACKEND_URL: `file://${this.backend}`,
      PULUMI_CONFIG_PASSPHRASE: "a passphrase of the tests",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      // Checking the types takes seconds. tests/provider/programTypes.ts has the types of programs.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      NODE_COMPILE_CACHE: this.#compiled,
      // A command ends before garbage matters: without a collector it takes a tenth less. The limit is for longer ones.
      GOGC: "off",
      GOMEMLIMIT: "512MiB",
      ...this.keys?.env,
      ...this.#env,
      ...more,
    };
  }
}

function explain(failure: unknown): never {
  if ((failure as NodeJS.ErrnoException).code !== "ENOENT") throw failure;
  throw new Error("the Pulumi CLI is not on PATH: run the tests with `npm test`, which finds or builds one", {
    cause: failure,
  });
}
