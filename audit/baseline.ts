import * as v from "valibot";
import { defined } from "../values/defined";
import type { Finding } from "./findings";

/** Accepted findings. An audit with a baseline reports only other findings. */
export interface Baseline {
  readonly version: 1;
  readonly findings: readonly BaselineEntry[];
}

/** The fingerprint identifies the finding; the other members are for people. */
export interface BaselineEntry {
  readonly fingerprint: string;
  readonly rule: string;
  readonly id?: string | undefined;
  readonly urn?: string | undefined;
}

const entry = v.object({
  fingerprint: v.pipe(v.string(), v.nonEmpty()),
  rule: v.string(),
  id: v.optional(v.string()),
  urn: v.optional(v.string()),
});
const schema = v.object({ version: v.literal(1), findings: v.array(entry) });

/**
 * Checks a baseline.
 * @param source name of the baseline in an error
 * @throws Error that names the mistake
 */
export function readBaseline(baseline: unknown, source: string): Baseline {
  const result = v.safeParse(schema, baseline);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Error(`${source}: not a baseline: ${v.getDotPath(issue) ?? "it"}: expected ${issue.expected}`);
}

/** A baseline that accepts these findings. Merged findings are accepted separately. */
export const baselineOf = (findings: readonly Finding[]): Baseline => ({
  version: 1,
  findings: findings.flatMap(entriesOf).sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1)),
});

const entriesOf = ({ fingerprint, rule, token: { id }, declared, members }: Finding): BaselineEntry[] =>
  members?.map((member) => ({ fingerprint: member.fingerprint, rule, id: member.id })) ?? [
    defined({ fingerprint, rule, id, urn: declared?.urn }),
  ];
