import type { ApiTokenInputs } from "../../../provider/nouns/apiToken/definition";
import { parseDuration } from "../../../values/duration";
import { isHonest } from "./clock";
import type { Recorded } from "./model";
import type { Process } from "./process";
import type { Stack } from "./stack";
import { type End, endOf, type Situation, type Word, wordOf } from "./table";
import { Words } from "./words";
import type { Token, Watcher, World } from "./world";

/** Expiries have whole seconds. */
const tolerance = 10_000;

/** A token can have been that of several resources, one after another. */
const placeOf = ({ key, id }: Pick<Recorded, "key" | "id">): string => `${key} ${id}`;

/** Knows the truth of the world, and compares what a stack's hooks do with the table. */
export class Judge implements Watcher {
  readonly #stack: Stack;
  readonly #world: World;
  #creating: { readonly clocks: readonly Date[]; readonly old: Token | false | undefined; count: number } | undefined;
  #deleting: { readonly one: Recorded; readonly end: () => End; readonly process: Process } | undefined;
  #words: Words;

  constructor(stack: Stack, world: World) {
    this.#stack = stack;
    this.#world = world;
    this.#words = new Words(world);
  }

  /** A command begins. */
  begin(): void {
    this.#words = new Words(this.#world);
  }

  tell(message: string): void {
    const violation = this.#words.tell(message);
    if (violation !== undefined) this.#violated(violation);
  }

  create(account: string, body: Readonly<Record<string, unknown>>): void {
    const { clocks = [], old, count } = this.#creating ?? { old: undefined, count: 1 };
    const { expiresAt, newTokenExpiresAt = expiresAt, existingTokenExpiresAt } = body;
    for (const end of [newTokenExpiresAt, existingTokenExpiresAt])
      if (typeof end === "string" && clocks.some((clock) => Date.parse(end) <= clock.getTime()))
        this.#violated(`a date of a create was over: ${end}`);
    if (this.#creating) this.#creating.count += 1;
    if (count > 0) this.#violated("a create was sent again");
    if (old && account !== "" && old.account !== account) this.#violated(`${old.id} was replaced in ${account}`);
  }

  revoke(token: Token): void {
    const { id, secret } = token;
    const { one, process } = this.#deleting ?? {};
    const end = this.#deleting?.end();
    // Nobody can use a token that has expired, whether or not the provider sees that an overlap ended it.
    const isWrong = end === "refused" || (end === "kept" && this.#world.expiryOf(token) > this.#world.now.getTime());
    if (one?.id !== id || isWrong) this.#violated(`${id} was revoked: ${end ?? "unasked"}`);
    if (process?.access.accessToken === secret && one?.state.token !== undefined)
      this.#violated(`${id}, the credential in use, was revoked`);
  }

  /** A diff succeeded. It speaks of the tokens that this one replaced, too. */
  compared(process: Process, key: string, old: Recorded, inputs: ApiTokenInputs): void {
    const word = wordOf(inputs);
    process.compared.set(key, old);
    process.said.set(placeOf(old), { ...word, isRetained: old.state.deleteOptions?.includes("retainOnDelete") });
    const known = new Set((old.state.record?.replaced ?? []).map(({ id }) => id));
    for (const one of old.replaced.filter(({ id }) => known.has(id))) {
      process.said.set(placeOf(one), { isBorrowed: false, retire: one.isKept ? "expire" : word.retire });
    }
  }

  beginCreate(process: Process, key: string, inputs: ApiTokenInputs) {
    const old = process.compared.get(key);
    const isSaidGone = old && process.access.notFound?.includes(old.id);
    // Neither a new token nor an overlap may be over when it begins, by each clock that the process knows.
    const knowsTime = isHonest(this.#world.clock) && process.client.clock.offset() !== undefined;
    const clocks = [process.now(), ...(knowsTime ? [this.#world.now] : [])];
    this.#creating = { clocks, old: old && !isSaidGone && this.#world.tokens.get(old.id), count: 0 };
    return {
      /** @returns the tokens that the new one replaced, as far as a diff saw it */
      end: (id: string): Recorded["replaced"] => {
        this.#creating = undefined;
        if (!old || inputs.adopt !== undefined) return [];
        this.#requireOverlap(process, old, id, inputs);
        const situation = this.#situation(process, old);
        const isKept = endOf({ ...situation, otherOwner: false, isCredential: false }) === "kept";
        return [{ key: old.key, id: old.id, isKept }, ...old.replaced];
      },
    };
  }

  beginDelete(process: Process, one: Recorded) {
    // A deletion may ask the service for the list first.
    const judge = () => endOf(this.#situation(process, one));
    this.#deleting = { one, end: judge, process };
    const wasLive = this.#world.isLive(one.id);
    return {
      end: () => {
        const end = judge();
        this.#deleting = undefined;
        const isLive = this.#world.isLive(one.id);
        const revoked = wasLive && !isLive;
        const isTold = this.#stack.told.some((message) => new RegExp(`\\b${one.id}\\b`).test(message));
        if (end === "refused") this.#violated(`the deletion of the credential ${one.id} succeeded`);
        if (end === "revoked" && isLive) this.#violated(`${one.id} was retired and not revoked`);
        if (end === "kept" && isLive && !isTold) this.#violated(`${one.id} was retired without a message`);
        if (wasLive) this.#compare(one);
        if (revoked && !this.#words.isAnnounced(one.id)) this.#violated(`${one.id} was revoked without a word`);
      },
    };
  }

  /** The engine removed an object without a hook. The provider can know it only from the hint in its state. */
  retained(one: Recorded): void {
    const isKnown = one.state.deleteOptions?.includes("retainOnDelete");
    if (isKnown && this.#world.isLive(one.id)) this.#compare(one);
  }

  #compare({ id }: Recorded): void {
    const violation = this.#words.compare(id, this.#world.isLive(id));
    if (violation !== undefined) this.#violated(violation);
  }

  /** A record is written anew: it still names each live token that its own replaced. */
  recorded(process: Process, before: Recorded, next: Pick<Recorded, "id" | "state">): void {
    const { expiresAt: until, record = {} } = before.state;
    const owned = next.id === before.id ? [] : [{ id: before.id, until }];
    const named = new Set((next.state.record?.replaced ?? []).map(({ id }) => id));
    for (const { id, until } of [...owned, ...(record.replaced ?? [])]) {
      const isOver = until !== undefined && Date.parse(until) <= process.now().getTime();
      if (this.#world.isLive(id) && !isOver && !named.has(id)) this.#violated(`${id} lives, and ${next.id} forgot it`);
    }
  }

  /** A refresh did not find a token. */
  forgotten({ id }: Recorded): void {
    if (this.#world.isLive(id)) this.#violated(`${id} lives, and a refresh removed it from the state`);
  }

  #situation(process: Process, one: Recorded): Situation {
    const token = this.#world.tokens.get(one.id) as Token;
    const said = process.said.get(placeOf(one));
    return {
      word: said ?? one.word,
      hasOverlap: token.successor !== undefined && this.#seesOverlap(process, one, said),
      otherOwner: this.#otherOwner(process, one),
      canRevoke: process.access.profile === "extended",
      isCredential: process.access.accessToken === token.secret && one.state.token !== undefined,
    };
  }

  /**
   * Whether a process knows, or finds out, that the expiry of a token was moved. The overlap of a token that has expired does not
   * begin. Where no word tells of an overlap, the process asks the service.
   */
  #seesOverlap(process: Process, { id, state, word }: Recorded, said: Word | undefined): boolean {
    const expiry = this.#world.expiryOf(this.#world.tokens.get(id) as Token);
    const isOver = expiry < process.now().getTime() + tolerance;
    // A borrowed token is recorded as it was found: its expiry does not show an overlap that another stack had begun.
    if (state.adopt !== undefined && Date.parse(state.expiresAt ?? "") === expiry) return false;
    const isTold = (said?.overlap !== undefined && !isOver) || state.rotation?.overlap !== undefined;
    if (isTold || word.overlap !== undefined) return true;
    return said === undefined || said.retire === "expire";
  }

  #otherOwner({ accepted, claimed, kept }: Process, { key: own, id }: Recorded): boolean {
    return (
      (claimed.get(id) ?? own) !== own ||
      [...accepted].some(([key, { adopt }]) => key !== own && adopt?.id === id) ||
      [...kept.values()].includes(id)
    );
  }

  /** A token that works, and is replaced in an update that declares an overlap, has it. */
  #requireOverlap(process: Process, { id, isLost }: Recorded, next: string, inputs: ApiTokenInputs): void {
    const { profile, accessToken } = process.access;
    const now = process.now().getTime();
    const overlap = parseDuration(inputs.rotation?.overlap ?? "");
    const old = this.#world.tokens.get(id) as Token;
    const isHere = old.isLive && this.#world.accountOf(accessToken) === old.account;
    if (!overlap || profile !== "extended" || isLost || !isHere) return;
    const latest = now + overlap.milliseconds + tolerance;
    const isOver = old.successor !== next && this.#world.expiryOf(old) < now + tolerance;
    if (!isOver && (old.successor !== next || this.#world.expiryOf(old) > latest))
      this.#violated(`${id} was replaced without its overlap`);
  }

  #violated(what: string): void {
    this.#world.violations.push(`${this.#stack.name}: ${what}`);
  }
}
