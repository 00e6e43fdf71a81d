import path from "node:path";
import { type AuditResult, auditTokens, type Policy } from "../audit";
import { policyFileName } from "../audit/policyFile";
import type { EventDatasets } from "../sdk";
import { defined } from "../values/defined";
import { findAbove, findProjectFile } from "./auditBackend";
import { parseStateOption, readStacks } from "./auditStacks";
import type { Command, Io, Values } from "./command";
import { connect, presentAccount, requireSameClock, usesToken } from "./connection";
import { placeOf, removeFile, writeFiles } from "./files";
import { nameMakers, readMakers } from "./makers";
import { acceptanceOf, acceptFindings, policyFileOf, policyIn } from "./policy";
import { type ReportFormat, type ReportOptions, reports } from "./reports";
import { verdict } from "./reports/report";
import { count, say, wholeLines } from "./text";

/** Audits the tokens of the account. */
export const audit: Command<"audit"> = {
  async run(values, io) {
    const wanted = values.output;
    const outputs = outputsOf(wanted);
    const file = await policyFileOf(values.policy, io.env);
    await checkPlaces(outputs, keptFiles(values, file));
    const overrides = overridesOf(values);
    const policy = policyIn(file);
    const acceptance = await acceptanceOf(values, file, new Date());
    const { makers, ...account } = await readAccount(values, describePolicy(file, values), io);
    const judge = (one: Policy) => auditTokens({ ...account, policy: { ...one, ...overrides } });
    const result = judge(policy);
    const { failed } = acceptance ? await acceptFindings(result, policy, acceptance, judge, io) : result;
    const shown = makers ? nameMakers(result, makers) : result;
    if (!acceptance || wanted.length > 0) await writeReports(shown, outputs, findLocation(), io);
    return failed ? 1 : 0;
  },

  // A report must not overwrite the policy that the environment names either.
  prepare: async (values, { env }) => {
    const policy = await policyFileOf(values.policy, env).catch(() => undefined);
    await removeReports(values.output, keptFiles(values, policy));
  },
};

async function readAccount(values: Values<"audit">, policySource: string, io: Io) {
  io.warn(say`policy: ${policySource}`);
  await using client = connect(io);
  const stacks = await readStacks(values, io);
  io.warn(say`listing the tokens of ${client.baseUrl}`);
  const live = await listWhole(client, io);
  const dataset = values.who;
  const makers = dataset === undefined ? undefined : await readMakers(client, dataset, new Date());
  for (const note of makers?.notes ?? []) io.warn(note);
  return { ...presentAccount(io.env), ...stacks, live, policySource, makers };
}

/**
 * Lists the tokens of the account.
 * @throws Error for a list that cannot be the whole one, and if the clocks differ: then nothing is known about expiries
 */
async function listWhole(client: EventDatasets, { env }: Io) {
  const live = await client.tokens.list();
  requireSameClock(client);
  const nameless = live.odd.filter(({ id }) => id === undefined);
  // Each of them could be a declared token.
  if (nameless.length > 0)
    throw new Error(
      `${client.baseUrl} lists ${count(nameless.length, "token")} without a usable id. Nothing was audited.`,
    );
  if (live.length === 0 && usesToken(env))
    throw new Error(
      `${client.baseUrl} lists no tokens, not even the access token in use, which is an API token. Nothing was audited.`,
    );
  return live;
}

/** The files that no report may overwrite. */
function keptFiles(values: Values<"audit">, policy: string | undefined): Kept[] {
  const options = (["state", "terraform-state", "policy", "write-policy"] as const).flatMap((option) =>
    [values[option] ?? []].flat().map((text) => ({ option: `--${option}`, file: parseStateOption(text).file })),
  );
  return [...[policyFileName, policy ?? []].flat().map((file) => ({ option: "the policy", file })), ...options];
}

/** The members of the policy that options replace. */
const overridesOf = ({ "expiring-within": expiringWithin, "fail-on": failOn }: Values<"audit">): Partial<Policy> =>
  defined({ expiringWithin, failOn });

const describePolicy = (file: string | undefined, values: Values<"audit">): string => {
  const options = (["expiring-within", "fail-on"] as const).flatMap((option) => {
    const value = values[option];
    return value === undefined ? [] : [`--${option} ${value}`];
  });
  return [file ?? "built in", ...options].join(", ");
};

/** The project file by its path from the root of the repository, for formats that must name a file of it: a part of a URI. */
function findLocation(): string {
  const here = process.cwd();
  const file = findProjectFile(here) ?? path.join(here, "Pulumi.yaml");
  const inside = path.relative(path.dirname(findAbove(here, [".git"]) ?? file), file);
  return inside.split(path.sep).map(encodeURIComponent).join("/");
}

/** One report to write. */
interface Output {
  readonly format: ReportFormat;
  /** Undefined: standard output. */
  readonly file: string | undefined;
}

/**
 * The reports that `--output` asks for.
 * @throws Error for a missing name of a file, and for two reports on standard output
 */
export function outputsOf(texts: readonly string[]): Output[] {
  const outputs = (texts.length > 0 ? texts : ["table"]).map((text) => {
    const { format, file } = splitOutput(text);
    if (file === "") throw new Error(`--output ${format}=: the name of a file is missing`);
    return { format, file };
  });
  if (outputs.filter(({ file }) => file === undefined).length > 1)
    throw new Error("--output: only one report can go to standard output");
  return outputs;
}

/** The format is a valid one: the parser of the arguments has checked it. */
function splitOutput(text: string) {
  const [, format, file] = /^(.*?)(?:=(.*))?$/s.exec(text) ?? [];
  return { format: format as ReportFormat, file };
}

/** A file that must not be overwritten, and the option that names it. */
interface Kept {
  readonly option: string;
  readonly file: string;
}

/**
 * Checks that no report overwrites another report or a file that is needed.
 * @throws Error that names the option
 */
async function checkPlaces(outputs: readonly Output[], kept: readonly Kept[]): Promise<void> {
  const taken = new Map<string, string>();
  for (const { option, file } of kept) taken.set(await placeOf(file), `is the file of ${option}`);
  for (const { format, file } of outputs) {
    if (file === undefined) continue;
    const place = await placeOf(file);
    const why = taken.get(place);
    if (why !== undefined) throw new Error(`--output ${format}=${file}: ${why}`);
    taken.set(place, "is the file of another report");
  }
}

/** Removes the reports of an earlier run, so that they are not taken for new ones if this audit fails. */
async function removeReports(wanted: readonly string[], kept: readonly Kept[]): Promise<void> {
  const needed = new Set(await Promise.all(kept.map(({ file }) => placeOf(file))));
  for (const text of wanted) {
    const { file } = splitOutput(text);
    if (file && !needed.has(await placeOf(file))) await removeFile(file);
  }
}

/** Writes every report, or none. Standard output is last, so that the files exist when somebody reads it. */
async function writeReports(result: AuditResult, outputs: readonly Output[], location: string, io: Io): Promise<void> {
  const plain: ReportOptions = { columns: undefined, colours: false, location };
  const drafts = outputs.flatMap(({ format, file }) =>
    file === undefined ? [] : [{ file, pieces: reports[format](result, plain), label: `--output ${format}=${file}` }],
  );
  await writeFiles(drafts);
  const { columns, colours } = io;
  const shown = outputs.find(({ file }) => file === undefined);
  if (!shown) return io.warn(verdict(result));
  for (const lines of wholeLines(reports[shown.format](result, { ...plain, columns, colours }))) io.print(lines);
  await io.flush().catch(async (failure: Error) => {
    for (const { file } of drafts) await removeFile(file);
    throw failure;
  });
}
