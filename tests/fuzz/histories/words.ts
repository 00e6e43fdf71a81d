import type { World } from "./world";

/** The token that a message is about: others in it are named in subordinate clauses. */
const subjectOf = (message: string): string | undefined => {
  const [, named, plain] = /^(?:API token|ApiToken) (?:".*?" \(id (\w+)\)|(\w+))/.exec(message) ?? [];
  return named ?? plain;
};

/** A message about an end that depends on a later change. */
const isConditional = (message: string): boolean => message.includes("if it is replaced or removed");
/** The provider cannot see what the engine obeys: in the plugin never, else after a changed option. */
const isUnsure = (message: string): boolean =>
  /unless the option|unless one with|If its deletion is pending/.test(message);
const saysRevoked = (message: string): boolean => /\b(is|was) revoked\b|\brevokes it\b|\bis gone\b/.test(message);
const saysKept = (message: string): boolean => /\bstays valid (until|\()|\band stays valid\b|left alone/.test(message);

/** The messages of one command. */
export class Words {
  readonly #world: World;
  readonly #messages: string[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** @returns a violation, if the message says what is not so */
  tell(message: string): string | undefined {
    this.#messages.push(message);
    const id = subjectOf(message);
    const token = id === undefined ? undefined : this.#world.tokens.get(id);
    const isThere = token?.isLive && this.#world.expiryOf(token) > this.#world.now.getTime();
    return isThere && message.includes("no longer exists") ? `${id} lives, and "no longer exists"` : undefined;
  }

  #about = (id: string): string[] =>
    this.#messages.filter((message) => subjectOf(message) === id && !isConditional(message));

  isAnnounced(id: string): boolean {
    return this.#about(id).some(saysRevoked);
  }

  /** @returns a violation, if the last word about a token is not what became of it */
  compare(id: string, isLive: boolean): string | undefined {
    const last = this.#about(id).findLast((message) => saysRevoked(message) || saysKept(message));
    if (last === undefined || isUnsure(last)) return undefined;
    if (isLive && saysRevoked(last)) return `${id} is said to be revoked, and lives`;
    // Of two resources with one token each can have its say.
    return !isLive && saysKept(last) && !this.isAnnounced(id)
      ? `${id} is said to stay valid, and was revoked`
      : undefined;
  }
}
