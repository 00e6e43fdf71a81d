import type { StackIdentity } from "../../audit";
import { type Declared, mergeStacks } from "../../audit/declarations";
import { namesStacks, readStacks, type Stacks } from "../auditStacks";
import { type Io, textOf, type Values } from "../command";
import { say } from "../text";
import { type AuditReport, optionsOf } from "./report";

/** Tokens that stacks track, that they replaced, and that their programs look up. */
export type Claims = Pick<Declared, "ids" | "retired" | "lookups">;

/**
 * Reads the stacks that the options name, and those of a report. Here, a state that an audit would not use protects its tokens, too.
 * @throws Error that names a stack of the report that cannot be read
 */
export async function readClaims(values: Values, report: AuditReport | undefined, io: Io): Promise<Claims> {
  const named = namesStacks(values) || !report ? await readStacks(values, io) : undefined;
  if (report && isPartial(report))
    io.warn(
      say`${report.file} comes from an audit that did not read all stacks, so it can list tokens that other stacks declare`,
    );
  const reported = report && !(named && covers(named, report)) ? await readAgain(report, values, io) : undefined;
  return mergeStacks([named, reported].flatMap((one) => one?.stacks ?? []));
}

/** Whether the audit did not read all stacks. */
const isPartial = ({ scope: { wanted, project, organization } }: Pick<Stacks, "scope">): boolean =>
  wanted === "named" || project !== undefined || organization !== undefined;

/** Reads the stacks of a report again, with the same options, so that new stacks count too. */
async function readAgain(report: AuditReport, values: Values, io: Io): Promise<Stacks> {
  io.warn(say`reading the stacks that ${report.file} lists`);
  const options = optionsOf(report, textOf(values, "cwd"));
  const stacks = await readStacks(options, io).catch((failure: Error) => {
    throw new Error(`--from ${report.file}: a stack that it lists cannot be read now: ${failure.message}`);
  });
  const missing = report.stacks.find((one) => !isAmong(one, stacks));
  if (missing)
    throw new Error(
      `--from ${report.file}: ${missing.source} of ${missing.backend ?? "its backend"} no longer exists: run the audit again`,
    );
  return stacks;
}

/** Whether the options name all stacks of a report. */
function covers(stacks: Stacks, report: AuditReport): boolean {
  return (report.scope.wanted === "named" || !isPartial(stacks)) && report.stacks.every((one) => isAmong(one, stacks));
}

/** A stack is among them if it was read, or if the same file replaces it. */
const isAmong = (one: AuditReport["stacks"][number], { stacks }: Stacks): boolean =>
  stacks.some(({ identity, source }) => (one.origin === "file" ? source === one.source : isSame(identity, one)));

const isSame = (a: StackIdentity, b: StackIdentity): boolean =>
  a.backend === b.backend && a.organization === b.organization && a.project === b.project && a.stack === b.stack;
