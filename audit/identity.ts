import { defined } from "../values/defined";

/** Identifies a stack. If a part is unknown, it is absent, and nothing can prove that two stacks are the same. */
export interface StackIdentity {
  /** Address of the backend. */
  readonly backend?: string | undefined;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  readonly stack?: string | undefined;
}

/** The known parts of the name, such as `acme/web/prod`. */
export function nameOf({ organization, project, stack }: StackIdentity): string {
  const name = [organization, project, stack].filter((part) => part !== undefined).join("/");
  return name === "" ? "a stack without resources" : name;
}

/** Whether two parts are known and different. */
export const differs = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b;

const parts = ["backend", "organization", "project", "stack"] as const satisfies (keyof StackIdentity)[];

/**
 * Merges the parts that are known from two sources.
 * @param source name of the state in an error
 * @throws Error if they contradict each other
 */
export function mergeIdentities(state: StackIdentity, known: StackIdentity, source: string): StackIdentity {
  if (parts.some((part) => differs(state[part], known[part])))
    throw new Error(`${source}: is the state of ${nameOf(state)}, not of ${nameOf(known)}`);
  return { ...state, ...defined({ ...known }) };
}

/** Project and stack of a resource; undefined for an invalid URN. */
export function placeOfUrn(urn: unknown): { readonly project: string; readonly stack: string } | undefined {
  const [, stack, project] = /^urn:pulumi:(.*?)::(.*?)::/.exec(typeof urn === "string" ? urn : "") ?? [];
  return stack === undefined || project === undefined ? undefined : { project, stack };
}

/** Project and stack in the form of policies: `web/prod`. */
export function stackOfUrn(urn: unknown): string | undefined {
  const place = placeOfUrn(urn);
  return place && `${place.project}/${place.stack}`;
}
