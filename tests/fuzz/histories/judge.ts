import type { ApiTokenInputs } from "../../../provider/apiToken/definition";
import { parseDuration } from "../../../values/duration";
import type { Process } from "./process";
import type { Recorded, Stack } from "./stack";
import { type End, endOf, type Situation, wordOf } from "./table";
import type { Token, Watcher, World } from "./world";

/** The service's clock has whole seconds, and the provider's estimate of it is a little ahead. */
const tolerance = 10_000;

/** A token can have been that of several resources, one after another. */
const placeOf = ({ key, id }: Pick<Recorded, "key" | "id">): string => `${key} ${id}`;

/** Knows the truth of the world, and compares what a stack's hooks do with the table. */
export class Judge implements Watcher {
  readonly #stack: Stack;
  readonly #world: World;
  #creating: { readonly old: Token | false | undefined; count: number } | undefined;
  #deleting: { readonly one: Recorded; readonly end: End; readonly process: Process } | undefined;

  constructor(stack: Stack, world: World) {
    this.#stack = stack;
    this.#world = world;
  }

  create(account: string): void {
    const { old, count } = this.#creating ?? { old: undefined, count: 1 };
    if (this.#creating) this.#creating.count += 1;
    if (count > 0) this.#violated("a create was sent again");
    if (old && account !== "" && old.account !== account) this.#violated(`${old.id} was replaced in ${account}`);
  }

  revoke({ id, secret }: Token): void {
    const { one, end, process } = this.#deleting ?? {};
    if (one?.id !== id || end === "kept" || end === "refused") this.#violated(`${id} was revoked: ${end ?? "unasked"}`);
    if (process?.access.accessToken === secret && one?.state.token !== undefined)
      this.#violated(`${id}, the credential in use, was revoked`);
  }

  /** A diff succeeded. It speaks of the tokens that this one replaced, too. */
  compared(process: Process, key: string, old: Recorded, inputs: ApiTokenInputs): void {
    const word = wordOf(inputs);
    process.compared.set(key, old);
    process.said.set(placeOf(old), word);
    for (const one of old.replaced) {
      process.said.set(placeOf(one), { isBorrowed: false, retire: one.isKept ? "expire" : word.retire });
      if (one.key !== old.key) process.renamed.add(placeOf(one));
    }
  }

  beginCreate(process: Process, key: string, inputs: ApiTokenInputs) {
    const old = process.compared.get(key);
    const isSaidGone = old && process.access.notFound?.includes(old.id);
    this.#creating = { old: old && !isSaidGone && this.#world.tokens.get(old.id), count: 0 };
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
    const end = endOf(this.#situation(process, one));
    this.#deleting = { one, end, process };
    return {
      end: () => {
        this.#deleting = undefined;
        const isLive = this.#world.isLive(one.id);
        const isTold = this.#stack.told.some((message) => new RegExp(`\\b${one.id}\\b`).test(message));
        if (end === "refused") this.#violated(`the deletion of the credential ${one.id} succeeded`);
        if (end === "revoked" && isLive) this.#violated(`${one.id} was given up and not revoked`);
        if (end === "kept" && isLive && !isTold) this.#violated(`${one.id} was given up without a message`);
      },
    };
  }

  /** A refresh did not find a token. */
  forgotten({ id }: Recorded): void {
    if (this.#world.isLive(id)) this.#violated(`${id} lives, and a refresh removed it from the state`);
  }

  #situation(process: Process, one: Recorded): Situation {
    const token = this.#world.tokens.get(one.id) as Token;
    const said = process.said.get(placeOf(one));
    const isSaid = said?.overlap !== undefined || one.word.overlap !== undefined;
    const isOver = this.#world.expiryOf(token) < this.#world.now.getTime() + tolerance;
    return {
      isOver,
      isRenamed: process.renamed.has(placeOf(one)),
      word: said ?? one.word,
      otherOwner: this.#otherOwner(process, one),
      overlap: token.successor === undefined ? undefined : isSaid ? "said" : "unclear",
      canRevoke: process.access.profile === "extended",
      isCredential: process.access.accessToken === token.secret && one.state.token !== undefined,
    };
  }

  #otherOwner(process: Process, one: Recorded): boolean | "perhaps" {
    const others = [...process.accepted].filter(([key]) => key !== one.key);
    if (others.some(([key, { adopt }]) => adopt?.id === one.id || process.kept.get(key) === one.id)) return true;
    return this.#stack.all.some((other) => other !== one && other.id === one.id) && "perhaps";
  }

  /** A token that works, and is replaced in an update that declares an overlap, has it. */
  #requireOverlap(process: Process, { id, isLost }: Recorded, next: string, inputs: ApiTokenInputs): void {
    const { profile, accessToken } = process.access;
    const overlap = parseDuration(inputs.rotation?.overlap ?? "");
    const old = this.#world.tokens.get(id) as Token;
    const isHere = old.isLive && this.#world.accountOf(accessToken) === old.account;
    if (!overlap || profile !== "extended" || isLost || !isHere) return;
    const latest = this.#world.now.getTime() + overlap.milliseconds + tolerance;
    const isOver = old.successor !== next && this.#world.expiryOf(old) < this.#world.now.getTime() + tolerance;
    if (!isOver && (old.successor !== next || this.#world.expiryOf(old) > latest))
      this.#violated(`${id} was replaced without its overlap`);
  }

  #violated(what: string): void {
    this.#world.violations.push(`${this.#stack.name}: ${what}`);
  }
}
