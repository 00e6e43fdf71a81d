import { keepSecrets } from "./identity";
import { type Bag, isPartialCreate, PartialCreate } from "./lifecycle";

/**
 * Marks an object that a failed create left behind: `incomplete` holds the message of that failure. Only the framework writes it.
 * Hooks trust it rather than the engine's own note, which a successful read clears.
 */
export interface Incomplete {
  /** Why the create failed. */
  readonly incomplete?: string;
}

export const mark = "incomplete" satisfies keyof Incomplete;

/** The failure of a create with the mark in the state that the engine keeps, and what is secret in it; another failure as it is. */
export const withMark = (failure: unknown, inputs: Bag): unknown =>
  isPartialCreate(failure)
    ? keepAs(failure, failure.message, { ...keepSecrets(inputs, failure.state), [mark]: failure.message })
    : failure;

/** The message of the create that left an object behind; undefined if the object is complete. */
export const reasonIncomplete = (state: Bag): string | undefined =>
  typeof state[mark] === "string" ? state[mark] : undefined;

/**
 * The failure of a create that a hook `onError` of the program repeats: nothing was sent. An engine that lets the hook repeat it 100
 * times records a resource without an id (design/upstream.md), so the message says how to end that.
 */
export const repeatedFailure = (failure: unknown): unknown =>
  isPartialCreate(failure) ? keepAs(failure, withAdvice(failure.message), failure.state) : failure;

/** The failure of an update that the engine calls in place of a repeated create: a partial one, or the engine loses the object. */
export const repeatedAsUpdate = (id: string, state: Bag, words: string): PartialCreate =>
  new PartialCreate(withAdvice(words), id, state);

const keepAs = (cause: PartialCreate, message: string, state: object) =>
  new PartialCreate(message, cause.id, state, { cause: cause.cause });

const withAdvice = (words: string): string =>
  `${words.replace(/\.?$/, ".")} Repeating the create does not help: let the hook onError return false for it.`;
