import type { Connect, Host } from "../../../framework/host";
import type { Tell } from "../../../framework/lifecycle";
import type { ApiTokenInputs } from "../../../provider/nouns/apiToken/definition";
import { openService, type Planning, type Service } from "../../../provider/shared/account/connection";
import { EventDatasets, howToExtend, type Profile } from "../../../sdk";
import { fingerprintOf } from "../../../values/fingerprint";
import { PlayedHost } from "../../support/host";
import type { Recorded } from "./model";
import type { Word } from "./table";

/** How a process reaches the service. */
export interface Access {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly profile: Profile;
  /** The variable EVENT_DATASETS_NOT_FOUND. */
  readonly notFound: string | undefined;
}

/** The process of one provider during one command. */
export class Process {
  readonly access: Access;
  readonly client: EventDatasets;
  /** This machine's clock. */
  readonly now: () => Date;
  readonly host: Host;
  /** The notices of the diffs of this process, by resource and token. */
  readonly said = new Map<string, Word>();
  /** By resource, the object that its last diff saw. */
  readonly compared = new Map<string, Recorded>();
  /** By token, the key of the first object that a diff saw: another resource cannot have it in this update. */
  readonly claimed = new Map<string, string>();
  /** By resource, the inputs that its check accepted. */
  readonly accepted = new Map<string, ApiTokenInputs>();
  /** By resource, the token that it has after its step. */
  readonly kept = new Map<string, string>();

  constructor(access: Access, now: () => Date, tell: Tell, form: { readonly seesOptions: boolean }) {
    const { notFound, ...connection } = access;
    this.access = access;
    this.now = now;
    const played = { now: () => now().getTime(), sleep: async () => undefined, random: () => 0 };
    this.client = new EventDatasets({ ...connection, ...played });
    const { client } = this;
    const settings = { ...connection, requireExpiry: false, credentialFrom: "the history" };
    const service = openService(settings, client, { EVENT_DATASETS_NOT_FOUND: notFound });
    const fingerprint = fingerprintOf(connection.accessToken);
    const planning = { ...settings, can: client.can.bind(client), fingerprint, howToExtend: howToExtend(undefined) };
    const connect: Connect<Planning, Service> = () => ({
      problems: [],
      planning,
      service: () => service,
    });
    this.host = new HistoryHost(now, connect, tell, form);
  }
}

/** A process in which a second passes before each hook, and nothing takes too long. */
class HistoryHost extends PlayedHost {
  readonly #pass: (ms: number) => void;

  constructor(now: () => Date, ...parts: ConstructorParameters<typeof Host>) {
    let elapsed = 0;
    const pass = (ms: number) => {
      elapsed += ms;
    };
    const timeout = () => new AbortController().signal;
    super({ now, elapsed: () => elapsed, timeout, sleep: async (ms) => pass(ms) }, ...parts);
    this.#pass = pass;
  }

  override session(...args: Parameters<Host["session"]>) {
    this.#pass(1_000);
    return super.session(...args);
  }
}
