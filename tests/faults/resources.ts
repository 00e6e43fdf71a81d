import { Host } from "../../framework/host";
import type { Hints } from "../../framework/identity";
import { PartialCreate } from "../../framework/lifecycle";
import { serve } from "../../framework/native/server";
import { Update } from "../../framework/update";
import type { Lifecycle, Planning, Service, Session } from "../../provider/account/connection";
import { annotation } from "../../provider/annotation/lifecycle";
import { apiToken } from "../../provider/apiToken/lifecycle";
import { hostedDeploymentAnnotation } from "../../provider/deploymentAnnotation/lifecycle";
import { eventDatasets } from "../../provider/nouns";
import { hostedQueryGate } from "../../provider/queryGate/lifecycle";
import { type Calls, connectTo, type Failure, urnOf } from "../native/plugin";
import { planOf } from "../support/session";

/** As the dynamic form calls the lifecycle. */
export const lifecycles = {
  apiToken,
  annotation,
  deploymentAnnotation: hostedDeploymentAnnotation.lifecycle,
  queryGate: hostedQueryGate.lifecycle,
} as const;

/** The operations of resources on the service, in any form. */
export type Resources = {
  readonly [Name in keyof typeof lifecycles]: Pick<(typeof lifecycles)[Name], "create" | "read" | "update" | "delete">;
};

const quiet = { warn: async () => undefined, inform: async () => undefined };

/** The session that the hooks of a plugin use. */
class SessionHost extends Host<Planning, Service> {
  now: Session | undefined;

  constructor() {
    super(
      () => ({
        problems: () => [],
        planning: () => planOf(),
        service: () => this.session(),
        run: (hook) => hook(),
      }),
      quiet,
      new Update(),
    );
  }

  override session(): Session {
    if (!this.now) throw new Error("nobody has this plugin");
    return this.now;
  }
}

interface OpenPlugin {
  readonly host: SessionHost;
  readonly resources: Resources;
  readonly close: () => void;
}

/** Plugins in this process, called as the engine calls them. A free plugin serves the next session. */
export class Plugins implements Disposable {
  readonly #all: OpenPlugin[] = [];
  readonly #free: OpenPlugin[] = [];

  async use<T>(session: Session, work: (resources: Resources) => Promise<T>): Promise<T> {
    const plugin = this.#free.pop() ?? (await this.#open());
    // Each session is an update of its own.
    Object.assign(plugin.host, { now: session, update: new Update() });
    const result = await work(plugin.resources);
    plugin.host.now = undefined;
    this.#free.push(plugin);
    return result;
  }

  async #open(): Promise<OpenPlugin> {
    const host = new SessionHost();
    const { port, stop } = await serve(eventDatasets, {}, undefined, undefined, host);
    const calls = connectTo(port);
    const resources: Resources = {
      apiToken: resourceOf(calls, "ApiToken"),
      annotation: resourceOf(calls, "Annotation"),
      deploymentAnnotation: resourceOf(calls, "DeploymentAnnotation"),
      queryGate: resourceOf(calls, "QueryGate"),
    };
    const close = () => {
      calls.close();
      stop();
    };
    const plugin = { host, resources, close };
    this.#all.push(plugin);
    return plugin;
  }

  [Symbol.dispose](): void {
    for (const { close } of this.#all) close();
  }
}

type Bag = Record<string, unknown>;
type Hooked<Inputs extends Hints, State extends Inputs> = Pick<
  Lifecycle<Inputs, State>,
  "create" | "read" | "update" | "delete"
>;

/** Values on the wire have no undefined members. */
const sent = (values: object): Bag => JSON.parse(JSON.stringify(values));

function resourceOf<Inputs extends Hints, State extends Inputs>(calls: Calls, type: string): Hooked<Inputs, State> {
  const urn = urnOf("ci", type);
  return {
    async create(_, inputs) {
      const made = orThrow(await calls.create(urn, sent(inputs)));
      return { id: made.id, state: made.outputs as State };
    },
    async read(_, id, state) {
      const { id: found, outputs } = await calls.read(urn, id, sent(state), {});
      return found === "" ? undefined : { state: outputs as State };
    },
    update: async (_, id, state, inputs) => orThrow(await calls.update(urn, id, sent(state), sent(inputs))) as State,
    delete: (_, id, state) => calls.delete(urn, id, sent(state)),
  };
}

/** @throws PartialCreate with the state that the engine has to keep */
function orThrow<Result extends object>(result: Result | Failure): Result {
  if (!("message" in result && typeof result.message === "string")) return result as Result;
  const { message, kept } = result as Failure;
  throw kept ? new PartialCreate(message, kept.id, kept.properties) : new Error(message);
}
