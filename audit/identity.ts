import { defined } from "../values/defined";

/** Which stack it is. A part that nobody knows is absent, and then nothing proves that two stacks are the same. */
export interface StackIdentity {
  /** Address of the backend, or a label for one that is not the present one. */
  readonly backend?: string | undefined;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  readonly stack?: string | undefined;
}

/** As `acme/web/prod`, as far as the parts are known. */
export function nameOf({ organization, project, stack }: StackIdentity): string {
  const name = [organization, project, stack].filter((part) => part !== undefined).join("/");
  return name === "" ? "a stack without resources" : name;
}

/** Whether two parts, of which each may be unknown, are known to differ. */
export const differs = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b;

const parts = ["backend", "organization", "project", "stack"] as const satisfies (keyof StackIdentity)[];

/**
 * What two sources together say of a stack.
 * @param source what to call the state in an error
 * @throws Error if the state says that it is of another stack
 */
export function mergeIdentities(state: StackIdentity, known: StackIdentity, source: string): StackIdentity {
  if (parts.some((part) => differs(state[part], known[part])))
    throw new Error(`${source}: is the state of ${nameOf(state)}, not of ${nameOf(known)}`);
  return { ...state, ...defined({ ...known }) };
}
