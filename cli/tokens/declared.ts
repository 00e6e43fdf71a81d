import type { Declaration, StackIdentity } from "../../audit";
import { namesStacks, readStacks, type Stacks } from "../auditStacks";
import { type Io, textOf, type Values } from "../command";
import { say } from "../text";
import { type AuditReport, optionsOf } from "./report";

/** What stacks say of tokens, by the tokens' ids. */
export interface Claims {
  readonly declared: ReadonlyMap<string, Declaration>;
  /** Tokens that a program only looks up. */
  readonly lookedUp: ReadonlyMap<string, Declaration>;
}

/**
 * What the stacks declare by now: those that the options name, and those that a report lists. Also a state that does not count
 * in an audit, since there is a newer one, protects its tokens here.
 * @throws Error that says which stack of the report cannot be read
 */
export async function readClaims(values: Values, report: AuditReport | undefined, io: Io): Promise<Claims> {
  const named = namesStacks(values) || !report ? await readStacks(values, io) : undefined;
  if (report && isPartial(report))
    io.warn(
      say`${report.file} is the report of an audit that did not read all stacks: it lists tokens that others declare`,
    );
  const reported = report && !(named && covers(named, report)) ? await readAgain(report, values, io) : undefined;
  const states = [named, reported].flatMap((one) => one?.stacks ?? []);
  return {
    declared: new Map(states.flatMap(({ tokens }) => tokens.map(({ id, declaration }) => [id, declaration] as const))),
    lookedUp: new Map(
      states.flatMap(({ lookups }) => lookups.map(({ id, declaration }) => [id, declaration] as const)),
    ),
  };
}

/** Whether its audit did not look at all stacks. */
const isPartial = ({ scope: { wanted, project, organization } }: Pick<Stacks, "scope">): boolean =>
  wanted === "named" || project !== undefined || organization !== undefined;

/** Reads the stacks of a report as its audit did, so that stacks that were added since then count too. */
async function readAgain(report: AuditReport, values: Values, io: Io): Promise<Stacks> {
  io.warn(say`reading the stacks that ${report.file} lists`);
  const options = optionsOf(report, textOf(values, "cwd"));
  const stacks = await readStacks(options, io).catch((failure: Error) => {
    throw new Error(`--from ${report.file}: a stack that it lists cannot be read now: ${failure.message}`);
  });
  const missing = report.stacks.find((one) => !isAmong(one, stacks));
  if (missing)
    throw new Error(
      `--from ${report.file}: ${missing.source} of ${missing.backend ?? "its backend"} is not there any more: audit again`,
    );
  return stacks;
}

/** Whether what the options name is at least what a report lists. */
function covers(stacks: Stacks, report: AuditReport): boolean {
  return (report.scope.wanted === "named" || !isPartial(stacks)) && report.stacks.every((one) => isAmong(one, stacks));
}

/** A stack that could not be read then is read itself by now, or its file stands for it still. */
const isAmong = (one: AuditReport["stacks"][number], { stacks }: Stacks): boolean =>
  stacks.some(({ identity, source }) => (one.origin === "file" ? source === one.source : isSame(identity, one)));

const isSame = (a: StackIdentity, b: StackIdentity): boolean =>
  a.backend === b.backend && a.organization === b.organization && a.project === b.project && a.stack === b.stack;
