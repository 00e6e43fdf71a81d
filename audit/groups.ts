import { joinShortened } from "./differences";
import { type Declaration, type Finding, fingerprintOf } from "./findings";

/** The probable common cause of several findings. */
export interface Cause {
  /** The resource that generates names like those of the tokens. */
  readonly resource: string;
  readonly declaration: Declaration;
}

/** A finding, and its cause if others may have the same. */
export interface Caused {
  readonly finding: Finding;
  readonly cause: Cause | undefined;
}

/**
 * Merges findings with one cause: `pulumi up --replace` leaves all predecessors of a token without a record, which is one problem.
 * Runs after the baseline, so that accepted findings stay accepted when one of the tokens expires.
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
    "of a stack that was not audited",
  ].join(" ");
  return {
    rule: finding.rule,
    severity: finding.severity,
    message: `${message}: ${joinShortened(members.map(({ id }) => id))}`,
    token: { name: cause.resource },
    ids: members.map(({ id }) => id),
    members,
    fingerprint: fingerprintOf(members),
  };
}
