import { existsSync } from "node:fs";
import path from "node:path";
import { type AuditResult, type Policy, readPolicy } from "../audit";
import { readJsonFile } from "../audit/jsonFile";
import { locatePolicy } from "../audit/pack/file";
import { expiryOfException } from "../audit/policy";
import type { Io, Values } from "./command";
import { placeOf, writeFiles } from "./files";
import { count, join, makeLinesVisible, reportJson, say } from "./text";

/** Where today's findings are accepted, by whom and for how long. */
export interface Acceptance {
  readonly file: string;
  readonly owner: string;
  readonly until: string;
}

const usualDays = 30;

/**
 * @param read the policy file of this audit: the only existing file that may be overwritten
 * @throws Error that names an option that is missing or invalid
 */
export async function acceptanceOf(
  { "write-policy": file, owner, until: day }: Values<"audit">,
  read: string | undefined,
  now: Date,
): Promise<Acceptance | undefined> {
  if (file === undefined) {
    const alone = owner === undefined ? (day === undefined ? undefined : "until") : "owner";
    if (alone !== undefined) throw new Error(`--${alone}: needs --write-policy`);
    return undefined;
  }
  if (owner === undefined) throw new Error("--write-policy: needs --owner: who is responsible for these findings");
  const until = day ?? new Date(now.getTime() + usualDays * 86_400_000).toISOString().slice(0, 10);
  const end = expiryOfException(until);
  if (end === undefined || end <= now.getTime())
    throw new Error("--until: must be a day in the future, such as 2027-01-31");
  const isSame = read !== undefined && (await placeOf(file)) === (await placeOf(read));
  if (existsSync(file) && !isSame)
    throw new Error(`--write-policy ${file}: already exists, and is not the policy of this audit`);
  return { file, owner, until };
}

/**
 * Writes the policy with an exception for each finding. A finding about a token with a field of an unknown form cannot be accepted.
 * @returns the audit with all exceptions
 */
export async function acceptFindings(
  { findings, auditedAt }: AuditResult,
  policy: Policy,
  { file, owner, until }: Acceptance,
  judge: (policy: Policy) => AuditResult,
  io: Io,
): Promise<AuditResult> {
  const added = findings.map(({ fingerprint, rule, token: { id, name } }) => ({
    fingerprint,
    owner,
    reason: `${[rule, id ?? name].filter(Boolean).join(" ")}, accepted on ${auditedAt.slice(0, 10)}`,
    until,
  }));
  const known = new Set(added.map(({ fingerprint }) => fingerprint));
  const kept = (policy.exceptions ?? []).filter(({ fingerprint }) => !known.has(fingerprint ?? ""));
  const next = judge({ ...policy, exceptions: [...kept, ...added] });
  const left = new Set(next.findings.map(({ fingerprint }) => fingerprint));
  const accepted = added.filter(({ fingerprint }) => !left.has(fingerprint));
  const written = readPolicy({ ...policy, exceptions: [...kept, ...accepted] }, file);
  await writeFiles([
    { file, pieces: [join([reportJson(written, 2), makeLinesVisible("\n")])], label: `--write-policy ${file}` },
  ]);
  io.warn(say`${file}: ${count(accepted.length, "finding")} accepted until ${until} for ${owner}`);
  for (const { rule, token } of next.findings)
    io.warn(say`${rule} ${token.id ?? ""}: not accepted, because a field of this token has an unknown form`);
  return next;
}

/** Finds the policy file: the one that the option or the environment names, or else the nearest one in this folder or above. */
export async function policyFileOf(option: string | undefined, env: Io["env"]): Promise<string | undefined> {
  if (option !== undefined) return option;
  const found = locatePolicy(process.cwd(), env);
  if (found === undefined) return undefined;
  const inside = path.relative(process.cwd(), found);
  return inside.startsWith("..") ? found : inside;
}

/**
 * Reads the policy of a file, or the built-in one.
 * @throws Error for an unusable policy
 */
export const policyIn = (file: string | undefined): Policy =>
  file === undefined ? { version: 1 } : readPolicy(readJsonFile(file), file);
