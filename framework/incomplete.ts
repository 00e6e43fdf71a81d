import { keepSecrets } from "./identity";
import { type Bag, isPartialCreate, PartialCreate } from "./lifecycle";

/**
 * Marks an object that a failed create left behind: `incomplete` holds the message of that failure. Only the framework writes it.
 * Hooks trust it rather than the engine's own note, which a successful read clears.
 */
export interface Incomplete {
  /** The reason why the create failed. */
  readonly incomplete?: string;
}

export const mark = "incomplete" satisfies keyof Incomplete;

/** Marks the state that the engine keeps after a failed create, and what is secret in it. Other failures stay as they are. */
export const withMark = (failure: unknown, inputs: Bag): unknown =>
  isPartialCreate(failure)
    ? keepAs(failure, failure.message, { ...keepSecrets(inputs, failure.state), [mark]: failure.message })
    : failure;

/** The message of the create that left an object behind; undefined if the object is complete. */
export const reasonIncomplete = (state: Bag): string | undefined =>
  typeof state[mark] === "string" ? state[mark] : undefined;

/**
 * The failure of a create that an `onError` hook of the program repeats: nothing is sent again. If the hook repeats the
 * create 100 times, the engine records a resource without an id (design/upstream.md), so the message says how to prevent that.
 */
export const repeatedFailure = (failure: unknown): unknown =>
  isPartialCreate(failure) ? keepAs(failure, withAdvice(failure.message), failure.state) : failure;

/** The failure of an update in place of a repeated create: a partial one, because otherwise the engine would lose the object. */
export const repeatedAsUpdate = (id: string, state: Bag, words: string): PartialCreate =>
  new PartialCreate(withAdvice(words), id, state);

const keepAs = (cause: PartialCreate, message: string, state: object) =>
  new PartialCreate(message, cause.id, state, { cause: cause.cause });

const withAdvice = (words: string): string =>
  `${words.replace(/\.?$/, ".")} Repeating the create does not help: let the hook onError return false for it.`;
