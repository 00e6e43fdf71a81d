import { Hooks } from "../../framework/hooks";
import { Host } from "../../framework/host";
import type { Bag, Tell } from "../../framework/lifecycle";
import { Update } from "../../framework/update";
import { connectAccounts, type Planning, type Service } from "../../provider/account/connection";
import type { ApiTokenInputs, ApiTokenState } from "../../provider/apiToken/definition";
import { hostedApiToken } from "../../provider/apiToken/lifecycle";

/** How the process of an update reaches the service. */
export interface ProcessSettings {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly profile?: "documented" | "extended";
}

/** The hooks of tokens that a host runs. */
export function hooksOf(host: Host<Planning, Service>, tell: Tell) {
  const hooks = new Hooks(hostedApiToken, host);
  const bag = (value: object) => value as Bag;
  return {
    /** The inputs as the engine hands them to the other hooks. */
    async check(news: object, olds?: object): Promise<ApiTokenInputs> {
      const { inputs, reasons } = await hooks.check(olds && bag(olds), bag(news), tell);
      if (reasons.length > 0) throw new Error(reasons.join("; "));
      return inputs as unknown as ApiTokenInputs;
    },
    diff: (id: string, state: object, inputs: object) => hooks.diff(id, bag(state), bag(inputs), tell),
    async create(inputs: object): Promise<{ readonly id: string; readonly state: ApiTokenState }> {
      const { id, state } = await hooks.create(bag(inputs), tell);
      return { id, state: state as unknown as ApiTokenState };
    },
    read: (id: string, state: object) => hooks.read(id, bag(state), tell),
    async update(id: string, state: object, inputs: object): Promise<ApiTokenState> {
      return (await hooks.update(id, bag(state), bag(inputs), tell)) as unknown as ApiTokenState;
    },
    delete: (id: string, state: object) => hooks.delete(id, bag(state), tell),
  };
}

/**
 * The hooks of tokens in a new process, which knows nothing of earlier ones.
 * Nothing listens at the default address.
 */
export function startProcess(settings: ProcessSettings = { baseUrl: "http://127.0.0.1:1", accessToken: "xaat-root" }) {
  const told: string[] = [];
  const tell = {
    warn: async (message: string) => void told.push(message),
    inform: async (message: string) => void told.push(message),
  };
  const host = new Host(connectAccounts(), tell, new Update());
  const values: Readonly<Record<string, string>> = { provider: "own", ...settings };
  host.configure({ get: (key) => values[key.replace("event-datasets:", "")] });
  /** `told`: everything that a user is told, warnings and notes. */
  return { told, ...hooksOf(host, tell) };
}
