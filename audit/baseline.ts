import * as v from "valibot";
import { defined } from "../values/defined";
import type { Finding } from "./findings";

/** Findings that are known and accepted for now; an audit against it reports only others. */
export interface Baseline {
  readonly version: 1;
  readonly findings: readonly BaselineEntry[];
}

/** Only the fingerprint counts; the rest tells people what it stands for. */
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
 * A checked baseline.
 * @param source what to call it in an error
 * @throws Error that names what is wrong
 */
export function readBaseline(baseline: unknown, source: string): Baseline {
  const result = v.safeParse(schema, baseline);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Error(`${source}: not a baseline: ${v.getDotPath(issue) ?? "it"}: expected ${issue.expected}`);
}

/** The baseline that accepts these findings: each by itself, also those of one cause. */
export const baselineOf = (findings: readonly Finding[]): Baseline => ({
  version: 1,
  findings: findings.flatMap(entriesOf).sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1)),
});

const entriesOf = ({ fingerprint, rule, token: { id }, declared, members }: Finding): BaselineEntry[] =>
  members?.map((member) => ({ fingerprint: member.fingerprint, rule, id: member.id })) ?? [
    defined({ fingerprint, rule, id, urn: declared?.urn }),
  ];
