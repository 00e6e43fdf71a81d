import { checkInputs, Hooks } from "../../framework/hooks";
import { Host } from "../../framework/host";
import type { Bag, Tell } from "../../framework/lifecycle";
import { connectAccounts, type Hosted, type Plan, type Session } from "../../provider/shared/account/connection";
import { EventDatasets, type Profile } from "../../sdk";
import { connect } from "./client";
import { type Behaviour, startService } from "./service";

/** The moment that tests play at. */
export const testTime = new Date("2026-11-21T12:00:00Z");

/** The clock of a machine. It stands still until a test or a wait of a hook moves it, and waits end at once. */
export class Clock {
  readonly waits: number[] = [];
  /** How long each thing was allowed to take that had a limit, in milliseconds. */
  readonly limits: number[] = [];
  readonly #start: number;
  #elapsed = 0;
  readonly #open: { readonly at: number; readonly limit: AbortController }[] = [];

  constructor(start = testTime) {
    this.#start = start.getTime();
  }

  now = (): Date => new Date(this.#start + this.#elapsed);

  elapsed = (): number => this.#elapsed;

  pass(ms: number): void {
    this.#elapsed += ms;
    for (const { at, limit } of this.#open) if (this.#elapsed >= at) limit.abort();
  }

  timeout = (ms: number): AbortSignal => {
    this.limits.push(ms);
    const limit = new AbortController();
    this.#open.push({ at: this.#elapsed + ms, limit });
    return limit.signal;
  };

  sleep = async (ms: number): Promise<void> => {
    this.waits.push(ms);
    this.pass(ms);
  };
}

/** The time of a played machine. */
export type Time = Pick<Clock, "now" | "elapsed" | "timeout" | "sleep">;

/** The process of a provider on a machine whose time is played. */
export class PlayedHost extends Host {
  readonly #time: Time;

  constructor(time: Time, ...parts: ConstructorParameters<typeof Host>) {
    super(...parts);
    this.#time = time;
  }

  override plan(...args: Parameters<Host["plan"]>) {
    return { ...super.plan(...args), now: this.#time.now };
  }

  override session(...args: Parameters<Host["session"]>) {
    const session = super.session(...args);
    const { now, elapsed, timeout, sleep } = this.#time;
    return {
      ...session,
      now,
      elapsed,
      timeout,
      // It rejects after a cancellation.
      sleep: async (ms: number) => {
        await session.sleep(0);
        await sleep(ms);
      },
    };
  }
}

/** How a provider reaches the service. Nothing listens at the default address. */
export interface Reached {
  readonly baseUrl?: string;
  readonly accessToken?: string;
  readonly profile?: Profile;
}

export const nowhere = { baseUrl: "http://127.0.0.1:1", accessToken: "xaat-root" };

/** Connects as the provider does, with clients that do not wait between attempts. */
export const connectPlayed = (client?: EventDatasets) =>
  connectAccounts((settings) => client ?? new EventDatasets({ settings, sleep: async () => undefined }));

export const tellNobody: Tell = { warn: async () => undefined, inform: async () => undefined };

/** The process of an explicit provider in a new update, which knows nothing of earlier ones. */
export function startHost(settings: Reached = {}, tell = tellNobody, { clock = new Clock(), client }: Parts = {}) {
  const host = new PlayedHost(clock, connectPlayed(client), tell);
  const values: Readonly<Record<string, string>> = { provider: "own", ...nowhere, ...settings };
  host.configure({ get: (key) => values[key.replace("event-datasets:", "")] });
  return host;
}

interface Parts {
  readonly clock?: Clock;
  readonly client?: EventDatasets | undefined;
}

/** For a planning hook during an update. */
export const planOf = (profile: Profile = "documented", more: Partial<Plan> = {}): Plan => ({
  ...(startHost({ profile }).plan("ApiToken", "ci") as Plan),
  ...more,
});

/** A session, and all that its hooks say and wait for. */
export interface NotedSession extends Session, Pick<Clock, "waits" | "limits"> {
  readonly warnings: string[];
  readonly progress: string[];
  /** Lets time go by; waits do too. */
  pass(ms: number): void;
}

/** For a hook that calls the service through this client. */
export function sessionOf(client: EventDatasets, { accessToken = nowhere.accessToken, clock = new Clock() } = {}) {
  const [warnings, progress]: [string[], string[]] = [[], []];
  const tell = {
    warn: async (message: string) => void warnings.push(message),
    inform: async (message: string) => void progress.push(message),
  };
  const { baseUrl, profile } = client;
  const host = startHost({ baseUrl, accessToken, profile }, tell, { clock, client });
  const session = host.session("ApiToken", "ci", tell) as Session;
  const { waits, limits } = clock;
  return { ...session, warnings, progress, waits, limits, pass: (ms: number) => clock.pass(ms) } satisfies NotedSession;
}

/** A session on a service that responds as listed. */
export async function beginSession(profile: Profile, ...behaviours: readonly Behaviour[]) {
  const service = await startService(...behaviours);
  const client = connect(service.url, { profile });
  return {
    service,
    client,
    session: sessionOf(client),
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** The reasons why inputs cannot be used, as the engine gets them. */
export async function findReasons(hosted: Hosted, inputs: object, profile?: Profile): Promise<readonly string[]> {
  const hooks = new Hooks(hosted, startHost(profile && { profile }));
  return (await hooks.check(undefined, inputs as Bag, tellNobody)).reasons;
}

/** The inputs that a check makes, with its failures as a user reads them. */
export function checkWith(
  hosted: Hosted,
  news: object,
  { olds, profile, ...more }: { readonly olds?: object | undefined; readonly profile?: Profile } & Partial<Plan> = {},
) {
  const { inputs, failures, warnings = [] } = checkInputs(hosted, olds as Bag, news as Bag, planOf(profile, more));
  return {
    inputs,
    failures: failures.map(({ property, reason }) => `${property} ${reason}`),
    properties: failures.map(({ property }) => property),
    warnings,
  };
}
