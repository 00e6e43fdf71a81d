import type { Token } from "../sdk";
import { describeDifference, differencesOf, expectedOf } from "./differences";
import type { Declaration, Found } from "./findings";
import type { DeclaredToken, StackState } from "./state";

/** What the stacks together declare, looked up by what an audit asks for. */
export interface Declared {
  readonly tokens: readonly DeclaredToken[];
  /** Every token that a state tracks, those that wait for their deletion included. */
  readonly ids: ReadonlyMap<string, DeclaredToken>;
  /** Declarations by the logical name that their tokens' names are made from. */
  readonly autoNames: ReadonlyMap<string, Declaration>;
  /** Creates that did not finish, by the name of the token. */
  readonly pendingNames: ReadonlyMap<string, Declaration>;
  /** Creates that did not finish and whose name is encrypted. */
  readonly pendingUnnamed: readonly Declaration[];
  readonly awaitingDeletion: number;
}

/** Merges the stacks. A stack that was given twice counts once. */
export function mergeStacks(stacks: readonly StackState[]): Declared {
  const unique = new Map<string, DeclaredToken>();
  const ids = new Map<string, DeclaredToken>();
  const autoNames = new Map<string, Declaration>();
  const pendingNames = new Map<string, Declaration>();
  const pendingUnnamed = new Map<string, Declaration>();
  const noteAutoName = (autoName: unknown, declaration: Declaration) => {
    if (typeof autoName === "string" && !autoNames.has(autoName)) autoNames.set(autoName, declaration);
  };
  for (const { tokens, pending } of stacks) {
    for (const token of tokens) {
      unique.set(JSON.stringify([token.declaration.urn, token.id]), token);
      if (ids.get(token.id)?.replaced !== false) ids.set(token.id, token);
      noteAutoName(token.inputs.autoName, token.declaration);
    }
    for (const { declaration, inputs } of pending) {
      if (typeof inputs.name === "string") pendingNames.set(inputs.name, declaration);
      else pendingUnnamed.set(declaration.urn, declaration);
      noteAutoName(inputs.autoName, declaration);
    }
  }
  const all = [...unique.values()];
  return {
    tokens: all.filter(({ replaced }) => !replaced),
    ids,
    autoNames,
    pendingNames,
    pendingUnnamed: [...pendingUnnamed.values()],
    awaitingDeletion: all.filter(({ replaced }) => replaced).length,
  };
}

/** What is wrong with one declared token, and what could not be compared. */
export function* auditDeclared(token: DeclaredToken, live: Token | undefined, baseUrl: string): Generator<Found> {
  const { declaration: declared, id, outputs } = token;
  const expected = expectedOf(token);
  if (!live) {
    yield notLive(token, typeof expected.values.name === "string" ? expected.values.name : undefined, baseUrl);
    return;
  }
  const about = { token: { id, name: live.name }, declared };
  const named = `API token "${live.name}"`;
  if (outputs.lost === true) {
    const message = `${named} was created, but its secret never arrived: the next update replaces it`;
    yield { rule: "pending", message, ...about };
  }
  if (expected.unknown.length > 0) {
    const message = `${named}: ${expected.unknown.join(", ")} cannot be compared: encrypted in the state`;
    yield { rule: "unknown", message, ...about, detail: expected.unknown };
  }
  const differences = differencesOf(expected, live);
  if (differences.length === 0) return;
  const rule = differences.some(({ escalates }) => escalates) ? "escalated" : "changed";
  const message = `${named} is not as declared: ${differences.map(describeDifference).join("; ")}`;
  yield { rule, message, ...about, differences };
}

function notLive(
  { declaration: declared, id, outputs }: DeclaredToken,
  name: string | undefined,
  baseUrl: string,
): Found {
  const about = { token: { id, ...(name === undefined ? {} : { name }) }, declared };
  const named = name === undefined ? "An API token" : `API token "${name}"`;
  const recorded = typeof outputs.baseUrl === "string" ? outputs.baseUrl : baseUrl;
  if (isSameService(recorded, baseUrl)) {
    return { rule: "missing", message: `${named} is declared, but the service does not list it`, ...about };
  }
  return { rule: "elsewhere", message: `${named} is declared on ${recorded}, which was not audited`, ...about };
}

/** Addresses by meaning: the case of the host, a default port and a slash at the end are no matter. */
export const isSameService = (a: string, b: string): boolean => canonicalUrl(a) === canonicalUrl(b);

const canonicalUrl = (url: string): string => (URL.canParse(url) ? new URL(url).href : url).replace(/\/+$/, "");
