import { once } from "node:events";
import type { Session } from "../../framework/lifecycle";
import { type EventDatasets, isStatus, type Listing, orGone, type Settings, type Token } from "../../sdk";
import { confirmAbsent } from "../../sdk/resources/wholeList";
import { fingerprintOf } from "../../values/fingerprint";
import { credentialOf, readEvidence, writeEvidence } from "./evidence";

/** A service may show a new object late, in milliseconds. */
const settling = 2 * 60_000;
/** Clocks that differ by less do not matter, in milliseconds. */
export const clockTolerance = 5 * 60_000;
/** How long a list counts as current, and how long a hook that can do without one waits for it, in milliseconds. */
const patience = 10_000;
/** The tokens that the evidence of one names. */
const mostBeside = 2;
/** The tokens to choose those from: an update can replace some. */
const candidates = 10;

/** The variable that says which tokens are gone where nothing else can. */
export const notFoundVariable = "EVENT_DATASETS_NOT_FOUND";

interface Recent {
  readonly since: number;
  readonly listing: Promise<Listing<Token>>;
  /** Settles when the list is there, or is not waited for any longer. */
  inTime?: Promise<void>;
}

type Clock = Pick<Session, "elapsed" | "timeout" | "now">;

/** The account that the settings lead to, and the one list of its tokens that all hooks of a process share. */
export class Account {
  readonly credential: string;
  /** Identifies the access token alone. */
  readonly fingerprint: string;
  readonly #client: EventDatasets;
  readonly #source: string;
  readonly #gone: ReadonlySet<string>;
  /** The expiry of each token whose overlap this process has begun, by its id. */
  readonly overlaps = new Map<string, string>();
  /** Tokens that this process has created or found. */
  readonly #seen = new Set<string>();
  /** Tokens that this update replaces: they prove nothing for long. */
  readonly #replaced = new Set<string>();
  #hasComparedClocks = false;
  /** Tokens that were not found, and whose account is not proven. */
  readonly #doubtful = new Set<string>();
  #recent: Recent | undefined;
  #listed: ReadonlyMap<string, Token> | undefined;
  /** Of the listed tokens, those that live longest. */
  #lasting: readonly string[] = [];
  /** The tokens that this process has created or found last. */
  #siblings: readonly string[] = [];
  /** Why the tokens could not be listed; "" for a missing capability, since many access tokens have no other. */
  #unlisted: string | undefined;

  constructor(client: EventDatasets, settings: Settings, environment: NodeJS.ProcessEnv = process.env) {
    this.#client = client;
    this.credential = credentialOf(settings);
    this.fingerprint = fingerprintOf(settings.accessToken);
    this.#source = `${settings.baseUrl}, access token from ${settings.credentialFrom}`;
    this.#gone = new Set((environment[notFoundVariable] ?? "").split(/[\s,]+/).filter((id) => id !== ""));
  }

  /** Notes a token that was created or found. */
  see(id: string): void {
    if (!this.#seen.has(id)) this.#siblings = [id, ...this.#siblings].slice(0, candidates);
    this.#seen.add(id);
  }

  /** Notes a token that this update replaces. */
  giveUp(id: string): void {
    this.#replaced.add(id);
  }

  /**
   * The evidence to record of a token that exists: the recorded tokens that no list lacks, so that a refresh changes nothing; where one
   * is missing, a sibling or the token that lives longest.
   * @param now if it is new
   */
  evidence(id: string, recorded?: string, now?: Date): string {
    const { beside, created = now } = readEvidence(recorded);
    const isUsable = (other: string) => other !== id && !this.#replaced.has(other);
    const kept = beside.filter((other) => isUsable(other) && this.mayBeLive(other));
    const near = [...kept, ...this.#siblings.filter(isUsable)];
    const lasting = this.#lasting.filter(isUsable);
    const doesLast = lasting.length === 0 || kept.some((other) => lasting.includes(other));
    const first = doesLast ? near : near.filter((other) => other !== lasting[0]).slice(0, 1);
    const all = new Set([...first, ...lasting]);
    return writeEvidence({ created, credential: this.credential, beside: [...all].slice(0, mostBeside) });
  }

  /** Whether this process deletes a token, or replaces it. */
  isGivenUp(id: string): boolean {
    return this.#replaced.has(id);
  }

  /** Whether no list of this process lacks a token. */
  mayBeLive(id: string): boolean {
    return !this.#listed || this.#listed.has(id) || this.#seen.has(id);
  }

  /**
   * Looks a token up in the shared list, where it is the same object as in the response by id (documented interface, 4.2 and 4.3).
   * @param recorded what is observed of a token that is as recorded: a difference in a list can be the list's own shape or age
   * @returns what is observed; undefined: not found, which does not mean that it is gone
   */
  async find<T>(session: Clock, id: string, observe: (token: Token) => T, recorded?: T): Promise<T | undefined> {
    const listed = (await this.tryList(session, patience))?.get(id);
    const isEnough = listed !== undefined && listed.odd === undefined && observe(listed) === recorded;
    const live = isEnough ? listed : await orGone(this.#client.tokens.get(id));
    if (live) this.see(id);
    return isEnough ? recorded : live && observe(live);
  }

  /** A warning that the tokens could not be listed. */
  get unlisted(): string | undefined {
    return this.#unlisted && `the API tokens cannot be listed: ${this.#unlisted}`;
  }

  /** The tokens by id, listed now or earlier; undefined: there is no list, and `unlisted` says why. Never throws. */
  async tryList(session: Clock, maxAge = Number.POSITIVE_INFINITY): Promise<ReadonlyMap<string, Token> | undefined> {
    if (this.#unlisted !== undefined) return undefined;
    const recent = this.#listRecently(session, maxAge);
    recent.inTime ??= this.#awaitList(session, recent.listing);
    await recent.inTime;
    return this.#unlisted === undefined ? this.#listed : undefined;
  }

  /** Without a list for this long, none is asked for again, unless that one still arrives. */
  async #awaitList(session: Clock, listing: Promise<unknown>): Promise<void> {
    const late = once(session.timeout(patience), "abort").then(() => Promise.reject(new Error("no response in time")));
    await Promise.race([listing, late]).catch((failure: Error) => {
      this.#unlisted = isStatus(failure, 403) ? "" : failure.message;
    });
  }

  /**
   * Whether a token belongs to this account. Nobody is asked about one without evidence.
   * @throws ApiError if neither a list nor a lookup can tell
   */
  async isOurs(session: Clock, id: string, recorded: string | undefined): Promise<boolean> {
    const { credential = this.credential, beside } = readEvidence(recorded);
    const witnesses = [id, ...beside];
    if (credential === this.credential) return true;
    if (this.#gone.has(id) || witnesses.some((one) => this.#seen.has(one))) return true;
    const listed = await this.tryList(session);
    if (listed) return witnesses.some((one) => listed.has(one));
    for (const one of witnesses) if (await orGone(this.#client.tokens.get(one))) return true;
    return false;
  }

  /**
   * Refuses to replace a token of another account: its successor would be created in the wrong one.
   * @param object its words in an error
   * @throws Error for a token that may be of another account
   */
  async requireOurs(session: Clock, id: string, recorded: string | undefined, object: string): Promise<void> {
    if (await this.isOurs(session, id, recorded)) return;
    throw new Error(
      `${object} was not found at ${this.#source}, and neither were the tokens recorded beside it: is this access token of another account? Check the base URL and the access token. If both are right and the token is really gone, run the command again with ${this.#wayOut(id)}. To move to another account, declare new resources with a Provider of that account, and remove these with the settings of theirs.`,
    );
  }

  /**
   * Confirms a "not found": the token is gone if its account is ours and the list lacks it as well.
   * @param object its words in an error
   * @throws Error if the responses contradict each other, if there is no list, or if it may be another account
   */
  async confirmGone(session: Clock, id: string, recorded: string | undefined, object: string): Promise<undefined> {
    if (this.#gone.has(id)) return;
    const listing = await this.#listRecently(session).listing;
    const isListed = listing.some((token) => token.id === id);
    confirmAbsent(id, isListed ? await this.#listRecently(session, 0).listing : listing, object);
    await this.requireOurs(session, id, recorded, object);
  }

  /**
   * Confirms a "not found" of a read, which must not forget a new token.
   * @throws Error as `confirmGone`, and if the service may show the token late
   */
  async confirmForgotten(session: Clock, id: string, recorded: string | undefined, object: string): Promise<undefined> {
    await this.confirmGone(session, id, recorded, object);
    const { created } = readEvidence(recorded);
    if (!this.#gone.has(id) && this.isYoung(session, created))
      throw new Error(
        `${object} was not found, but it was created only minutes ago, and the service may show it late. Try again in a few minutes, or, if it is really gone, with ${this.#wayOut(id)}.`,
      );
  }

  /**
   * Of these tokens, those that are gone: the list lacks them, and so does a lookup by id.
   * @param since they exist at least since then: while the service may show them late, none counts as gone
   */
  async findGone(session: Clock, ids: readonly string[], since: Date | undefined): Promise<ReadonlySet<string>> {
    if (ids.length === 0 || this.isYoung(session, since)) return new Set();
    const listed = await this.tryList(session);
    const missing = listed ? ids.filter((id) => !listed.has(id) && !this.#seen.has(id)) : [];
    const isGone = (id: string) =>
      orGone(this.#client.tokens.get(id))
        .catch(() => id)
        .then((live) => live === undefined);
    const gone = await Promise.all(missing.map(async (id) => ((await isGone(id)) ? [id] : [])));
    return new Set(gone.flat());
  }

  /** Whether the service may still show something late that was created then. */
  isYoung({ now }: Pick<Session, "now">, created: Date | undefined): boolean {
    return created !== undefined && now().getTime() - created.getTime() < settling;
  }

  /** A warning, once, that two clocks differ: this machine's makes and judges all dates. */
  describeClocks({ now }: Pick<Session, "now">): string | undefined {
    const { clock, baseUrl } = this.#client;
    const offset = clock.offset() ?? 0;
    if (this.#hasComparedClocks || Math.abs(offset) <= clockTolerance) return undefined;
    this.#hasComparedClocks = true;
    const [here, there] = [now(), new Date(now().getTime() + offset)];
    return `the clock of this machine says ${here.toISOString()}, that of ${baseUrl} says ${there.toISOString()}: all expiries follow this machine's. Correct the clock that is wrong.`;
  }

  #listRecently({ elapsed }: Pick<Session, "elapsed">, maxAge = patience): Recent {
    const recent = this.#recent;
    if (recent !== undefined && elapsed() - recent.since < maxAge) return recent;
    const listing = this.#client.tokens.list().then((tokens) => {
      this.#listed = new Map(tokens.map((token) => [token.id, token]));
      this.#unlisted = undefined;
      // A token without an expiry lives longest.
      const ends = tokens.map(({ id, expiresAt = "" }) => ({ id, end: Date.parse(expiresAt) || Number.MAX_VALUE }));
      const lasting = ends.sort((a, b) => b.end - a.end || (a.id < b.id ? -1 : 1)).slice(0, candidates);
      this.#lasting = lasting.map(({ id }) => id);
      return tokens;
    });
    // A failure counts as long: in an outage not every token asks again.
    this.#recent = { since: elapsed(), listing };
    return this.#recent;
  }

  /** Names every doubtful token so far, so that one more run is enough. */
  #wayOut(id: string): string {
    this.#doubtful.add(id);
    return `${notFoundVariable}=${[...this.#doubtful].join(",")}`;
  }
}
