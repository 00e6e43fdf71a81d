import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { environmentOf } from "../../emulator/emulator";
import type { Profile } from "../../sdk";
import type { RunningCommand } from "../support/command";
import { createWorkspace, type Workspace } from "../support/engine";
import { type Form, inForm, moduleOf } from "../support/program";
import { asksToAdopt, asksToRefresh, type Declared, declareDatasets, Events } from "./datasets";
import type { Blow, Command, Instant } from "./instant";
import { installCommand, type Stricken, shell, timeLimit } from "./recovery";
import { rootToken, ServiceProcess } from "./service";
import { Trap } from "./trap";

/** A program that declares a set of tokens, replaced when the generation changes, a marker, and datasets where there are some. */
const programOf = (
  form: Form,
  profile: Profile,
  declared: Declared,
) => `const { Annotation, ApiToken, Dataset } = require("${moduleOf(form)}");
const rotation = { triggers: { generation: ${declared.generation} } };
for (const name of ["a${declared.set}", "b${declared.set}"])
  exports[name] = new ApiToken(name, { orgCapabilities: { apiTokens: ["read"] }, rotation }).token;
new Annotation("deployed", { datasets: ["web"], type: "deploy", triggers: { set: ${declared.set} } });
${profile === "extended" ? declareDatasets(declared) : ""}`;

const start: Declared = { set: 0, generation: 0, name: 0, isAdopted: false };

/** A command that is killed, or whose time is taken, has the hosts that the engine itself starts. */
const engineHosts = { hosts: "engine" } as const;

/** Providers look for their engine every two seconds. */
const mostLooks = 200;

/** A stack in the declared state, with a service of its own, in which one thing after another is killed. */
export class Scene implements AsyncDisposable {
  /** How long each command takes when nothing interrupts it, in milliseconds. */
  readonly #durations = new Map<Command, number>();
  #declared = start;
  /** The datasets of the profile that has them. */
  readonly events: Events | undefined;

  private constructor(
    readonly service: ServiceProcess,
    readonly trap: Trap,
    readonly workspace: Workspace,
    readonly profile: Profile,
    readonly form: Form,
  ) {
    this.events = profile === "extended" ? new Events(service.url, rootToken) : undefined;
  }

  static async open(profile: Profile, form: Form): Promise<Scene> {
    const service = await ServiceProcess.start(profile);
    const trap = await Trap.open(service.url);
    const env = environmentOf({ url: trap.url, rootToken, profile });
    const workspace = await createWorkspace(
      inForm(form, { program: { "index.js": programOf(form, profile, start) }, env, timeoutMs: timeLimit }),
    );
    await installCommand(workspace);
    await workspace.up();
    return new Scene(service, trap, workspace, profile, form);
  }

  get connection(): Stricken["connection"] {
    return { baseUrl: this.trap.url, accessToken: rootToken, profile: this.profile };
  }

  /** The names of the declared tokens. */
  get declared(): readonly string[] {
    return ["a", "b"].map((name) => `${name}${this.#declared.set}`);
  }

  /** The names of the declared datasets. */
  get declaredDatasets(): readonly string[] {
    return [`doomed${this.#declared.set}`, "kept"];
  }

  async #declare(change: Partial<Declared>): Promise<void> {
    this.#declared = { ...this.#declared, ...change };
    await this.workspace.writeFile("index.js", programOf(this.form, this.profile, this.#declared));
  }

  /** Has something to do for the command. */
  async #prepare(command: Command): Promise<void> {
    const { set, generation, name } = this.#declared;
    await this.#declare({
      ...(command === "up" && { set: set + 1 }),
      ...(command === "rotation" && { generation: generation + 1 }),
      ...((command === "up" || command === "destroy") && { name: name + 1 }),
    });
  }

  /** Adopts a dataset that a lost create left, and owns it then; refreshes for one that is gone. */
  async heed(printed: string): Promise<boolean> {
    if (asksToRefresh(printed)) return (await shell(this, "pulumi refresh --yes --stack dev")).code === 0;
    if (!asksToAdopt(printed)) return false;
    await this.#declare({ isAdopted: true });
    const { code } = await shell(this, "pulumi up --yes --stack dev");
    await this.#declare({ isAdopted: false });
    return code === 0;
  }

  /** Runs a command to its end, unless it is known how long it takes, and leaves the declared state. */
  async #measure(command: Command): Promise<number> {
    const known = this.#durations.get(command);
    if (known !== undefined) return known;
    await this.#prepare(command);
    const { seconds } = await this.workspace.run(argumentsOf(command), engineHosts);
    if (command === "destroy") await this.workspace.up();
    this.#durations.set(command, seconds * 1_000);
    return seconds * 1_000;
  }

  /** Has something to do for the command, runs it and kills at the instant. Returns once it has ended. */
  async strike({ command, victim, at }: Instant): Promise<Blow> {
    const { workspace, trap } = this;
    const delay = typeof at === "number" ? at * (await this.#measure(command)) : 0;
    await this.#prepare(command);
    await this.events?.add();
    const hold = typeof at === "number" ? undefined : trap.set(at);
    const running = await workspace.start(argumentsOf(command), engineHosts);
    const ended = running.done.then(() => "too late" as const);
    const reached = (hold?.caught ?? sleep(delay)).then(() => "in time" as const);
    let blow: Blow = await Promise.race([ended, reached]);
    const isAnswered = typeof at === "object" && at.moment === "answered";
    switch (victim) {
      case "engine":
        if (isAnswered) await this.#answerWhileStopped(running, () => hold?.release("pass"));
        running.kill("SIGKILL");
        break;
      case "provider": {
        const providers = await this.providers();
        if (providers.length === 0 && blow === "in time") blow = "too early";
        for (const pid of providers) killQuietly(pid, "SIGKILL");
        break;
      }
      case "service":
        await trap.away(async () => {
          await this.service.kill();
          await this.service.start();
        });
        break;
      case "Ctrl-C":
      case "Ctrl-C twice":
        running.kill("SIGINT");
        if (victim === "Ctrl-C twice") {
          await sleep(50);
          running.kill("SIGINT");
        }
    }
    // After a first Ctrl-C the current request finishes; any other victim's connection drops.
    hold?.release(victim === "Ctrl-C" ? "pass" : "drop");
    trap.clear();
    await running.done;
    await this.providersEnd();
    return blow;
  }

  /** Waits for the provider hosts to end. One that was never called has loaded nothing of ours that could end it: it stays. */
  async providersEnd(): Promise<boolean> {
    for (let look = 0; look < mostLooks; look++) {
      if ((await this.providers()).length === 0) return true;
      await sleep(50);
    }
    return false;
  }

  /** The answer reaches the provider while the engine stands still, so that nothing of it is recorded. */
  async #answerWhileStopped(running: RunningCommand, release: () => void): Promise<void> {
    running.kill("SIGSTOP");
    release();
    await sleep(300);
  }

  async providers(): Promise<number[]> {
    const pids = await this.workspace.processes();
    if (pids.length === 0) return [];
    const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,args=", "-p", pids.join(",")]).catch(() => ({
      stdout: "",
    }));
    return stdout
      .split("\n")
      .filter((line) => /dynamic-provider|pulumi-resource-event-datasets/.test(line))
      .map((line) => Number.parseInt(line, 10));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.workspace[Symbol.asyncDispose]();
    await this.trap[Symbol.asyncDispose]();
    await this.service[Symbol.asyncDispose]();
  }
}

const argumentsOf = (command: Command): string[] => [
  command === "rotation" ? "up" : command,
  "--yes",
  "--skip-preview",
];

export function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    return; // it ended by itself meanwhile
  }
}
