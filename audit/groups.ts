import { listed } from "./differences";
import { type Declaration, type Finding, fingerprintOf } from "./findings";

/** What findings have in common that have one cause, as far as anybody can tell. */
export interface Cause {
  /** The resource whose generated names the tokens' names are like. */
  readonly resource: string;
  readonly declaration: Declaration;
}

/** A finding, and its cause if others may have the same. */
export interface Caused {
  readonly finding: Finding;
  readonly cause: Cause | undefined;
}

/**
 * One finding for all of one cause: a token that `pulumi up --replace` replaced leaves all its predecessors without a record, and
 * that is one thing to look at. Called after the baseline, so that what somebody accepted stays accepted when one of them expires.
 */
export function groupByCause(all: readonly Caused[]): Finding[] {
  const groups = Map.groupBy(all, ({ finding, cause }) =>
    cause === undefined ? finding : `${finding.rule} ${finding.severity} ${cause.declaration.urn}`,
  );
  return [...groups.values()].map((group) => (group.length === 1 ? (group[0] as Caused).finding : merge(group)));
}

function merge(group: readonly Caused[]): Finding {
  const [{ finding, cause }] = group as [Caused & { readonly cause: Cause }];
  const members = group
    .map(({ finding: { token, fingerprint } }) => ({ id: token.id ?? "", fingerprint }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const message = [
    `${members.length} live API tokens that no audited stack declares have names like those that`,
    `${cause.declaration.stack} generates for "${cause.resource}": perhaps "pulumi up --replace" replaced them, or they are`,
    "of a stack that was not named",
  ].join(" ");
  return {
    rule: finding.rule,
    severity: finding.severity,
    message: `${message}: ${listed(members.map(({ id }) => id))}`,
    token: { name: cause.resource },
    ids: members.map(({ id }) => id),
    members,
    fingerprint: fingerprintOf(members),
  };
}
