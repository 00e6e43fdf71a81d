import type { EmulatorOptions } from "../../emulator";
import { decode } from "../../framework/engineValues";
import type { Bag } from "../../framework/lifecycle";
import { withoutProvider } from "../../framework/package";
import { join } from "../../framework/record";
import { type Command, type Declared, type Form, type Options, type Program, Stack } from "../../framework/testing";
import { eventDatasets, type ResourceName } from "../../provider/eventDatasets";
import type { ApiTokenState } from "../../provider/nouns/apiToken/definition";
import { EventDatasets, type Profile } from "../../sdk";
import { startTemporaryEmulator } from "./deployment";
import { Clock, connectPlayed, PlayedHost, type Reached } from "./host";
import { type Behaviour, startService } from "./service";

/** An expiry that no test reaches. */
export const expiresAt = "2099-01-01T00:00:00Z";

/** The clock of a machine at the present time, in whole seconds. */
const startClock = () => new Clock(new Date(Math.floor(Date.now() / 1_000) * 1_000));

/** Declares resources of a kind. */
export const declarer =
  (type: ResourceName, usual: Bag = {}) =>
  (args: object = {}, options: Options = {}): Declared => ({ type, args: { ...usual, ...args }, options });

export const token = declarer("ApiToken", { expiresAt });
export const annotation = declarer("Annotation");
export const dataset = declarer("Dataset");

/** Commands of one stack in memory, one after another, at a time that stands still. A command that fails rejects. */
export class Story {
  readonly stack: Stack;
  readonly clock: Clock;
  #settings: Reached;

  constructor(settings: Reached, { form = "dynamic", clock = startClock() }: { form?: Form; clock?: Clock } = {}) {
    this.#settings = settings;
    this.clock = clock;
    this.stack = new Stack(eventDatasets, {
      form,
      startHost: (tell, sees) => new PlayedHost(clock, connectPlayed(), tell, sees),
    });
  }

  /** From now on the provider has other settings. */
  configure(settings: Reached): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  async run(command: Command) {
    const settings = { default: { ...this.#settings }, other: { ...this.#settings } };
    const played = await this.stack.run({ settings, ...command });
    return { ...played, words: played.told.join("\n") };
  }

  #runs =
    (command: Command["command"]) =>
    async (program?: Program, more: Partial<Command> = {}) => {
      const played = await this.run({ command, ...(program && { program }), ...more });
      if (played.failures.length > 0) throw new Error(played.failures.join("\n"));
      return played;
    };

  up = this.#runs("up");
  preview = this.#runs("preview");
  refresh = this.#runs("refresh");
  destroy = this.#runs("destroy");

  /** An update that is killed before its first deletion. */
  interrupt(program: Program, more: Partial<Command> = {}) {
    return this.up(program, { ...more, killed: ({ hook, isDone }) => hook === "delete" && !isDone });
  }

  /** Declares the token `ci`, and nothing else. @returns the id that it has then */
  async declare(args: object = {}, options: Options = {}): Promise<string> {
    await this.up({ ci: token(args, options) });
    return this.id();
  }

  #find(name: string) {
    const found = this.stack.find(name);
    if (!found) throw new Error(`the stack has no ${name}`);
    return found;
  }

  id = (name = "ci"): string => this.#find(name).id;

  /** The recorded state of a resource, as its hooks know it. */
  state<State = ApiTokenState>(name = "ci"): State {
    const { type, outputs } = this.#find(name);
    return stateOf<State>(type, outputs);
  }
}

/** A recorded state as hooks know it. */
export const stateOf = <State = ApiTokenState>(type: string, outputs: Bag): State =>
  join(eventDatasets.resources[type as ResourceName].definition, withoutProvider(decode(outputs))) as unknown as State;

interface Begun extends Partial<EmulatorOptions> {
  readonly form?: Form;
  readonly clock?: Clock;
}

/** A stack on the local service, whose responses have the present time: so has the machine at first. */
export async function begin(
  profile: Profile = "extended",
  { form = "dynamic", clock = startClock(), ...options }: Begun = {},
) {
  const service = await startTemporaryEmulator({ profile, now: clock.now, ...options });
  const { url: baseUrl, rootToken: accessToken } = service;
  const client = new EventDatasets({ baseUrl, accessToken, profile });
  return Object.assign(new Story({ baseUrl, accessToken, profile }, { form, clock }), {
    service,
    client,
    /** The ids of the live tokens. */
    ids: () => service.tokens.list().map(({ id }) => id),
    expiryOf: (id: string) => service.tokens.list().find((one) => one.id === id)?.expiresAt,
    /** The next request gets this response instead, such as "GET /v2/tokens". */
    respond(call: string, status: number, body: unknown = { message: "of the test" }) {
      const [method = "", path = ""] = call.split(" ");
      service.inject({ method, path, action: { kind: "status", status, body } });
    },
    /** The next list has only some of the tokens. */
    listOnly(isShown: (id: string) => boolean) {
      this.respond(
        "GET /v2/tokens",
        200,
        service.tokens.list().filter(({ id }) => isShown(id)),
      );
    },
    /** The calls that changed something or could have, as "POST /v2/tokens 200". */
    writes: () =>
      service.calls
        .filter(({ method, path }) => method !== "GET" && path.startsWith("/v2"))
        .map(({ method, path, status }) => `${method} ${path} ${status}`),
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  });
}

export type World = Awaited<ReturnType<typeof begin>>;

/** The same on a service that responds as listed. */
export const beginScript = (profile: Profile, ...behaviours: readonly Behaviour[]) =>
  beginScriptIn("dynamic", profile, ...behaviours);

export async function beginScriptIn(form: Form, profile: Profile, ...behaviours: readonly Behaviour[]) {
  const service = await startService(...behaviours);
  const story = new Story({ baseUrl: service.url, accessToken: "xaat-root", profile }, { form });
  return Object.assign(story, { service, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() });
}
