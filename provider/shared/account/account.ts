import type { Session } from "../../../framework/lifecycle";
import { type EventDatasets, orGone, type Settings, type Token } from "../../../sdk";
import { chooseBeside, credentialOf, isYoung, readEvidence, writeEvidence } from "./evidence";
import { ObjectList, patience } from "./objectList";

/** The environment variable that lists objects that are gone, for cases in which nothing else can prove it. */
export const notFoundVariable = "EVENT_DATASETS_NOT_FOUND";

type Clock = Pick<Session, "elapsed" | "timeout" | "now">;

/** A token without an expiry lives longest. */
const endOf = ({ expiresAt = "" }: Token): number => Date.parse(expiresAt) || Number.MAX_VALUE;

/** Those that live longest first. */
const byExpiry = (a: Token, b: Token): number => endOf(b) - endOf(a) || (a.id < b.id ? -1 : 1);

/** The account that the settings lead to, shared by all hooks of a process. */
export class Account {
  readonly credential: string;
  readonly list: ObjectList<Token>;
  readonly #client: EventDatasets;
  readonly #source: string;
  readonly #gone: ReadonlySet<string>;
  /** Tokens that this process has created or found, in their order. */
  readonly #seen = new Set<string>();
  /** Tokens that were not found, and whose account is not proven. */
  readonly #doubtful = new Set<string>();

  constructor(client: EventDatasets, settings: Settings, environment: NodeJS.ProcessEnv) {
    this.#client = client;
    this.list = new ObjectList("API tokens", client.tokens, byExpiry);
    this.credential = credentialOf(settings);
    this.#source = `${settings.baseUrl}, access token from ${settings.credentialFrom}`;
    this.#gone = new Set((environment[notFoundVariable] ?? "").split(/[\s,]+/).filter((id) => id !== ""));
  }

  /** Notes a token that was created or found. */
  see(id: string): void {
    this.#seen.add(id);
  }

  /**
   * The evidence to record of a token that exists. Keeps the recorded tokens beside it while they are live, so that a refresh
   * changes nothing. Otherwise takes the token seen last, then the one that lives longest, but none that this update ends.
   * @param now if it is new
   */
  evidence({ isEnding }: Pick<Session, "isEnding">, id: string, recorded?: string, now?: Date): string {
    // The hook records an object, so the update is not at its end.
    this.list.goOn();
    const { beside: recordedBeside, created = now } = readEvidence(recorded);
    const isUsable = (other: string) =>
      other !== id && !isEnding(other) && (this.list.mayHave(other) || this.#seen.has(other));
    const last = [...this.#seen].findLast(isUsable);
    const sources = [recordedBeside, last === undefined ? [] : [last], this.list.ids, this.#seen];
    return writeEvidence({ created, credential: this.credential, beside: chooseBeside(isUsable, ...sources) });
  }

  /**
   * Finds a token in the shared list or else by its id: both return the same object (documented interface, 4.2 and 4.3).
   * @param isRecorded whether a token is as recorded: a difference in a list can be the list's own shape or age
   * @returns undefined: not found, which does not mean that it is gone
   */
  async find(session: Clock, id: string, isRecorded: (token: Token) => boolean): Promise<Token | undefined> {
    const listed = (await this.list.find(session, patience))?.get(id);
    const isEnough = listed !== undefined && listed.odd === undefined && isRecorded(listed);
    const live = isEnough ? listed : await orGone(this.#client.tokens.get(id));
    if (live) this.see(id);
    return live;
  }

  /**
   * Whether a token belongs to this account. Without evidence, no request is sent.
   * @throws ApiError if neither a list nor a lookup can tell
   */
  async isOurs(session: Clock, id: string, recorded: string | undefined): Promise<boolean> {
    const { credential = this.credential, beside } = readEvidence(recorded);
    const witnesses = [id, ...beside];
    if (credential === this.credential) return true;
    if (this.#gone.has(id) || witnesses.some((one) => this.#seen.has(one))) return true;
    const listed = await this.list.find(session);
    if (listed) return witnesses.some((one) => listed.has(one));
    for (const one of witnesses) if (await orGone(this.#client.tokens.get(one))) return true;
    return false;
  }

  /**
   * Fails for an object that may belong to another account: a successor would be created in the wrong one.
   * @param object its words in an error
   * @throws Error for a token that may be of another account
   */
  async requireOurs(session: Clock, id: string, recorded: string | undefined, object: string): Promise<void> {
    if (await this.isOurs(session, id, recorded)) return;
    throw new Error(
      `${object} was not found at ${this.#source}, and neither were the tokens recorded beside it: does this access token belong to another account? Check the base URL and the access token. If both are right and ${object} is really gone, run the command again with ${this.#wayOut(id)}. To move to another account, declare new resources with a Provider of that account, and remove these with the settings of their own account.`,
    );
  }

  /**
   * Confirms a "not found": the object is gone if its account is ours and the list of its kind lacks it as well.
   * @param object its words in an error
   * @throws Error if the responses contradict each other, if there is no list, or if it may be another account
   */
  async confirmGone(
    session: Clock,
    id: string,
    recorded: string | undefined,
    object: string,
    list: Pick<ObjectList<never>, "confirmAbsent"> = this.list,
  ): Promise<undefined> {
    if (this.#gone.has(id)) return;
    await list.confirmAbsent(session, id, object);
    await this.requireOurs(session, id, recorded, object);
  }

  /**
   * Confirms a "not found" of a read, which must not forget a new object.
   * @throws Error as `confirmGone`, and if the service may show the object late
   */
  async confirmForgotten(...about: Parameters<Account["confirmGone"]>): Promise<undefined> {
    const [session, id, recorded, object] = about;
    await this.confirmGone(...about);
    if (!this.#gone.has(id) && isYoung(recorded, session.now()))
      throw new Error(
        `${object} was not found, but it was created only minutes ago, and the service may show it late. Try again in a few minutes, or, if it is really gone, with ${this.#wayOut(id)}.`,
      );
  }

  /**
   * The tokens among these that are gone: neither the service's list nor a lookup by id finds them.
   * @param successor a token that was created after them: a list that shows it would show them too
   */
  async findGone(session: Clock, ids: readonly string[], successor: string): Promise<ReadonlySet<string>> {
    const listed = ids.length > 0 ? await this.list.find(session) : undefined;
    const missing = listed?.has(successor) ? ids.filter((id) => !listed.has(id) && !this.#seen.has(id)) : [];
    const gone = await Promise.all(missing.map(async (id) => ((await this.list.isMissing(id)) ? [id] : [])));
    return new Set(gone.flat());
  }

  /** Lists every doubtful token so far, so that one more run is enough. */
  #wayOut(id: string): string {
    this.#doubtful.add(id);
    return `${notFoundVariable}=${[...this.#doubtful].join(",")}`;
  }
}
