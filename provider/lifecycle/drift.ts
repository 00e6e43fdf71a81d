import { createHash } from "node:crypto";
import { defined } from "../../sdk/values/defined";
import { asSet, type Canonical, canonicalText, isSame, keysOf, pick } from "./compare";
import type { SecretNames } from "./contract";

/** How each field of a noun is compared. */
export type Comparisons<Spec> = Readonly<Record<keyof Spec & string, Canonical>>;

/** What is recorded of an object beside its declared fields. */
export interface Answers<Spec> extends SecretNames {
  /** What the service made of declared values when it answered them differently, or chose where none was declared. */
  readonly answered?: Partial<Spec>;
  /** The same of secret inputs, as salted hashes: what is derived from a secret stands nowhere in plain text. */
  readonly answeredHashes?: { readonly [key in keyof Spec]?: string };
}

/** What a service answers: its fields, and those of an unexpected shape, of which nothing is known. */
type Answer<Spec> = Spec & { readonly odd?: Readonly<Record<string, string>> };

/** Whether a state shows in plain text what is declared as a secret now: an earlier version recorded it so. */
export const showsSecrets = (state: Answers<object>, { secretInputs = [] }: SecretNames): boolean =>
  secretInputs.some((key) => Object.hasOwn(state.answered ?? {}, key));

/** What the service answered otherwise than it was sent. */
export const answersOf = <Spec extends object>(
  comparisons: Comparisons<Spec>,
  sent: Partial<Spec>,
  answer: Answer<Spec>,
): Partial<Spec> => {
  const differing = readableKeys(comparisons, answer).filter(
    (key) => !isSame(comparisons[key], sent[key], answer[key]),
  );
  return observe(comparisons, differing, answer);
};

const readableKeys = <Spec extends object>(comparisons: Comparisons<Spec>, { odd = {} }: Answer<Spec>) =>
  keysOf(comparisons).filter((key) => !Object.hasOwn(odd, key));

/** The live values of some fields. An empty one stands for none, so that "none" is a value that can be recorded. */
const observe = <Spec extends object>(
  comparisons: Comparisons<Spec>,
  keys: readonly (keyof Spec & string)[],
  live: Spec,
): Partial<Spec> =>
  Object.fromEntries(
    keys.map((key) => [key, live[key] ?? (comparisons[key] === asSet ? [] : "")]),
  ) as unknown as Partial<Spec>;

/**
 * Compares what is live with what is recorded: the declared values, and over them what the service made of those at the
 * creation, which is no drift. Where they differ the state takes what is live.
 */
export function reconcile<Spec extends object, State extends Partial<Spec> & Answers<Spec>>(
  comparisons: Comparisons<Spec>,
  id: string,
  recorded: State,
  live: Answer<Spec>,
): { readonly drifted: readonly (keyof Spec & string)[]; readonly state: State } {
  const {
    answered = {} as Partial<Spec>,
    answeredHashes = {} as NonNullable<State["answeredHashes"]>,
    ...declared
  } = recorded;
  const expected: Partial<Spec> = { ...(declared as unknown as Partial<Spec>), ...answered };
  const drifted = readableKeys(comparisons, live).filter((key) => {
    const hash = answeredHashes[key];
    return hash === undefined
      ? !isSame(comparisons[key], expected[key], live[key])
      : hash !== hashValue(comparisons[key], id, live[key]);
  });
  const kept = keysOf(comparisons).filter((key) => !drifted.includes(key));
  const state = {
    ...declared,
    ...observe(comparisons, drifted, live),
    ...toMembers({
      answered: pick(answered, kept as (keyof Partial<Spec>)[]),
      answeredHashes: pick(answeredHashes, kept),
    }),
  };
  return { drifted, state: state as unknown as State };
}

/** A state with these answers in place of those that it had. Those of secret inputs are recorded as hashes. */
export function withAnswers<Spec extends object, State extends Answers<Spec>>(
  comparisons: Comparisons<Spec>,
  id: string,
  { answered: _, answeredHashes: __, ...state }: State,
  answers: Partial<Spec>,
  hashes: Answers<Spec>["answeredHashes"] = {},
): State {
  const { secretInputs = [] } = state as Answers<Spec>;
  const [secret, plain] = [true, false].map((isSecret) =>
    keysOf(comparisons).filter((key) => secretInputs.includes(key) === isSecret && answers[key] !== undefined),
  ) as [(keyof Spec & string)[], (keyof Spec & string)[]];
  const hashed = Object.fromEntries(secret.map((key) => [key, hashValue(comparisons[key], id, answers[key])]));
  return {
    ...state,
    ...toMembers({ answered: pick(answers, plain), answeredHashes: { ...hashes, ...hashed } }),
  } as State;
}

/** Without members that hold nothing. */
const toMembers = (members: Readonly<Record<string, object>>): object =>
  defined(
    Object.fromEntries(
      Object.entries(members).map(([key, member]) => [key, Object.keys(member).length > 0 ? member : undefined]),
    ),
  );

/** Salted with the object's id, so that equal values of several objects do not show as equal. */
const hashValue = (canonical: Canonical, id: string, value: unknown): string =>
  createHash("sha256")
    .update(`${id}\n${canonicalText(canonical, value) ?? ""}`)
    .digest("hex");
