import { asSet, type Canonical, changedKeys, keysOf, pick } from "./compare";

/** How each field of a noun is compared. */
export type Comparisons<Spec> = Readonly<Record<keyof Spec & string, Canonical>>;

/** What is recorded of an object beside its declared fields. */
export interface Answers<Spec> {
  /** What the service made of declared values when it answered them differently, or chose where none was declared. */
  readonly answered?: Partial<Spec>;
}

/** What the service answered otherwise than it was sent. */
export const answersOf = <Spec extends object>(
  comparisons: Comparisons<Spec>,
  sent: Spec,
  answer: Spec,
): Partial<Spec> => observe(comparisons, changedKeys(comparisons, sent, answer), answer);

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
  state: State,
  live: Spec,
): { readonly drifted: readonly (keyof Spec & string)[]; readonly state: State } {
  const { answered = {} as Partial<Spec>, ...declared } = state;
  const drifted = changedKeys(comparisons, { ...declared, ...answered }, live);
  const settled = pick(
    answered,
    keysOf(comparisons).filter((key) => !drifted.includes(key)),
  );
  const next = { ...declared, ...observe(comparisons, drifted, live) };
  return { drifted, state: withAnswers(next as unknown as State, settled as Partial<Spec>) };
}

/** A state with these answers in place of those that it had. */
export function withAnswers<Spec extends object, State extends Answers<Spec>>(
  { answered: _, ...state }: State,
  answers: Partial<Spec>,
): State {
  return (Object.keys(answers).length > 0 ? { ...state, answered: answers } : state) as State;
}
