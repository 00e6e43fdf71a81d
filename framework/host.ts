import { setTimeout as sleep } from "node:timers/promises";
import {
  changedInputs,
  type InputsOf,
  inputsOf,
  mayReplace,
  namesWhere,
  type ResourceDefinition,
  type StateOf,
} from "./definition";
import type { Hints } from "./identity";
import type { Bag, CheckFailure, Lifecycle, Plan, Session, Tell } from "./lifecycle";
import { type ProviderPackage, settingsWith } from "./package";
import { hasUnknown } from "./unknown";
import { scopeOf, Update } from "./update";

export interface Configuration {
  get(key: string): string | undefined;
}

/**
 * One account of the service, as configured.
 * @typeParam Planning what the settings add to a `Plan` and to a `Session`; there are smallest ones while a setting is missing
 * @typeParam Service what calls the service, added to a `Session`
 */
export interface Connection<Planning extends object = object, Service extends object = object> {
  /** The mistakes in the settings, one sentence each. */
  readonly problems: readonly string[];
  readonly planning?: Planning;
  /** The inputs that the settings do not allow, such as fields that need a larger profile. */
  refuse?(definition: ResourceDefinition, inputs: Bag, planning: Planning): readonly CheckFailure[];
  /**
   * Connects at the first call.
   * @throws Error that names every missing setting
   */
  service(): Service;
  /** A warning that the service will refuse the creates of this update. Called for each new resource. */
  doubt?(session: Session & Service): Promise<string | undefined>;
}

export type Connect<Planning extends object = object, Service extends object = object> = (
  configuration: Configuration,
  tell: Tell,
) => Connection<Planning, Service>;

/**
 * Connects with the settings of a stack or of an explicit provider. Without a required setting no hook runs; a message names it.
 * @param open connects, once for each configuration
 */
export const connectBy =
  <Service extends object>(
    own: ProviderPackage,
    open: (settings: Readonly<Record<string, string | undefined>>, tell: Tell) => Service,
  ): Connect<object, Service> =>
  (configuration, tell) => {
    const nameOf = (key: string) => `${own.namespace}:${key}`;
    const settings = Object.fromEntries(Object.keys(own.settings).map((key) => [key, configuration.get(nameOf(key))]));
    const problems = settingsWith(own, "required")
      .filter((key) => !settings[key])
      .map(
        (key) =>
          `${nameOf(key)} is missing: run "pulumi config set${own.settings[key]?.secret ? " --secret" : ""} ${nameOf(key)}"`,
      );
    let service: Service | undefined;
    return {
      problems,
      service() {
        if (problems.length > 0) throw new Error(problems.join("; "));
        service ??= open(settings, tell);
        return service;
      },
    };
  };

/** Facts that only the plugin knows. */
export type Asked = Pick<Plan, "seed" | "autonaming" | "stack">;

/** A lifecycle with any types: its own `check` validates the engine's values. */
export type AnyLifecycle<Planning extends object, Service extends object> = Lifecycle<
  Hints & Bag,
  Hints & Bag,
  Planning,
  Service
>;

/** A resource with its lifecycle. */
export interface HostedResource<Planning extends object = object, Service extends object = object> {
  readonly connect: Connect<Planning, Service>;
  readonly definition: ResourceDefinition;
  readonly lifecycle: AnyLifecycle<Planning, Service>;
}

/** The hooks that an author writes: `create` and `delete`, and those whose default is not enough. */
type Written<Whole extends Record<"create" | "delete", unknown>> = Pick<Whole, "create" | "delete"> & Partial<Whole>;

/**
 * A resource with defaults for the hooks that it leaves out. An unchanged program changes nothing: a `computed` argument that
 * it leaves out keeps its live value. `check`: the definition's shapes are enough. `diff`: the definition says how inputs
 * compare, and what replaces the object. `read`: the recorded state stays. `update`: every change replaces the object.
 * @param connect says what the hooks get of the service
 */
export function host<Definition extends ResourceDefinition, Planning extends object, Service extends object, Planned>(
  connect: Connect<Planning, Service>,
  definition: Definition,
  lifecycle: Written<Lifecycle<InputsOf<Definition>, StateOf<Definition>, Planning, Service, Planned>>,
): HostedResource<Planning, Service> {
  const own = lifecycle as unknown as Partial<AnyLifecycle<Planning, Service>>;
  const compared = inputsOf(definition).filter((name) => name !== "key" && name !== "secretInputs");
  const needed = namesWhere(definition, ({ required, always }) => required !== undefined || always === true);
  const defaults: Omit<AnyLifecycle<Planning, Service>, "create" | "delete"> = {
    check: (_olds, news) => ({ inputs: news as Hints & Bag, failures: [] }),
    diff(_id, state, inputs, plan) {
      const isChosen = (name: string) => definition.properties[name]?.computed === true && inputs[name] === undefined;
      const changed = changedInputs(definition, compared, state, inputs).filter((name) => !isChosen(name));
      const open = compared.filter((name) => hasUnknown(inputs[name]));
      const isReplacing = (name: string) =>
        own.update === undefined || mayReplace(definition.properties[name] ?? {}, plan);
      const replaces = [...changed, ...open].filter(isReplacing);
      return { changes: changed.length > 0, replaces };
    },
    async read(_session, id, state) {
      if (needed.some((name) => state[name] === undefined))
        throw new Error(`${id}: a ${definition.name} cannot be looked up or imported.`);
      return { state: state as Hints & Bag };
    },
    // Only the secrecy of an argument can change in place.
    update: async (_session, _id, state, inputs) => ({ ...state, ...inputs }),
  };
  return { connect, definition, lifecycle: { ...defaults, ...own } as AnyLifecycle<Planning, Service> };
}

/** The connection and the update that the hooks of one process share. */
export class Host {
  readonly #connect: Connect;
  /** Shows messages about no particular resource. */
  readonly tell: Tell;
  readonly update = new Update();
  readonly #form: Pick<Plan, "seesOptions">;
  readonly #cancellation = new AbortController();
  /** A connection without settings until `configure`. */
  connection: Connection;

  constructor(connect: Connect, tell: Tell, form: Pick<Plan, "seesOptions"> = { seesOptions: true }) {
    this.#connect = connect;
    this.tell = tell;
    this.#form = form;
    this.connection = connect({ get: () => undefined }, this.tell);
  }

  /** Must neither fail nor wait: the engine's host caches a provider before it is configured. */
  configure(configuration: Configuration): void {
    this.connection = this.#connect(configuration, this.tell);
  }

  /** Ends the waits of all hooks. Requests are not aborted: losing a secret is worse than waiting. */
  cancel(): void {
    this.#cancellation.abort();
  }

  plan(kind: string, key: unknown, asked: Asked = {}): Plan {
    return {
      now: () => new Date(),
      claim: (id) => this.update.claim(scopeOf(kind, id), scopeOf(kind, key)),
      ...this.#form,
      ...asked,
      ...this.connection.planning,
    };
  }

  session(kind: string, key: unknown, tell: Tell = this.tell): Session {
    return {
      ...this.plan(kind, key),
      ...tell,
      elapsed: () => performance.now(),
      timeout: (ms) => AbortSignal.timeout(Math.min(Math.ceil(ms), longestTimer)),
      declared: (one) => this.update.listDeclared(one) as readonly Bag[],
      sleep: (ms) => sleep(Math.min(ms, longestTimer), undefined, { signal: this.#cancellation.signal }),
      isEnding: (id) => this.update.isEnding(id),
      ...this.connection.service(),
    };
  }

  /** Shows the messages that this update has not shown yet. */
  async tellOnce(tell: Tell, kind: keyof Tell, messages: readonly (string | false | undefined)[] = []): Promise<void> {
    for (const message of messages) {
      if (message && this.update.isNew(message)) await tell[kind](message);
    }
  }
}

/** The longest time that a timer of Node.js keeps, 24 days: a longer one would end at once. Everything that waits looks again. */
const longestTimer = 2 ** 31 - 1;
