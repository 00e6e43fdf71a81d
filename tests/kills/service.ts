import type { Profile } from "../../sdk";
import { builtEmulator } from "../support/checkout";
import { type RunningCommand, start } from "../support/command";
import { findFreePort } from "../support/service";
import { makeFolder } from "../support/suite";

export const rootToken = "xaat-root-of-the-kills";

interface Listed {
  readonly id: string;
  readonly name: string;
}

/** The local service as a process of its own, that can be killed and started again on the same data. */
export class ServiceProcess implements AsyncDisposable {
  #running: RunningCommand | undefined;
  /** The same before and after a restart. */
  url = "";

  private constructor(
    readonly folder: string,
    readonly profile: Profile,
    readonly port: number,
  ) {}

  static async start(profile: Profile): Promise<ServiceProcess> {
    const service = new ServiceProcess(makeFolder(), profile, await findFreePort());
    await service.start();
    return service;
  }

  async start(): Promise<void> {
    const args = ["--data", this.folder, "--port", String(this.port), "--profile", this.profile];
    const env = { PATH: process.env.PATH, EVENT_DATASETS_ROOT_TOKEN: rootToken };
    const timeoutMs = 24 * 3_600_000;
    const running = await start(process.execPath, [builtEmulator(), ...args], { cwd: this.folder, env, timeoutMs });
    this.#running = running;
    this.url = await running.printed(/listening on (http:\S+)/);
  }

  async kill(): Promise<void> {
    this.#running?.kill("SIGKILL");
    await this.#running?.done;
  }

  async list(): Promise<readonly Listed[]> {
    const headers = { authorization: `Bearer ${rootToken}` };
    return (await fetch(`${this.url}/v2/tokens`, { headers })).json() as Promise<Listed[]>;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
