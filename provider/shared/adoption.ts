import type { PlannedChange, Session } from "../../framework/lifecycle";

/**
 * Plans the change of an object for which `adopt` is declared: it is only borrowed, so nothing of it is changed.
 * @param kind "token" or "dataset"
 * @param object its words in a message
 * @throws Error if the resource manages another object than it is to adopt
 */
export function planBorrowed(
  kind: string,
  id: string,
  object: string,
  borrowed: {
    readonly isOther: boolean;
    /** Whether there is something to record. */
    readonly changes: boolean;
    /** The declared fields that differ from the live ones. */
    readonly differing: string;
    /** The consequence of the next update without `adopt`, in words. */
    readonly otherwise?: string;
  },
): PlannedChange<never> {
  const { isOther, changes, differing, otherwise = "" } = borrowed;
  if (isOther)
    throw new Error(
      `adopt names another ${kind}, but this resource manages ${kind} ${id} already: a ${kind} is adopted when its resource is created.`,
    );
  const notice = `${object} is only borrowed, so it is not changed, although it differs from its declaration in ${differing}. Declare it as it is, or remove adopt${otherwise}.`;
  return { changes, replaces: [], notice: differing === "" ? undefined : notice };
}

/**
 * Claims an object to adopt.
 * @param differing the declared fields that are not as they are live
 * @param how the user finds the live values
 * @throws Error if another resource has it, or if declared and live differ
 */
export function requireAdoptable(
  { claim }: Pick<Session, "claim">,
  id: string,
  object: string,
  differing: string,
  how = "",
): void {
  const differs = `it differs from its declaration in ${differing}. Declare it as it is${how}, adopt it, and change it afterwards.`;
  const refusal = claim(id) ? differing && differs : "another resource of this update has it, and only one can.";
  if (refusal) throw new Error(`${object} is not adopted: ${refusal}`);
}
