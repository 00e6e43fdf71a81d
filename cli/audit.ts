import path from "node:path";
import { auditTokens, baselineOf, failOns, type Policy, readBaseline, readPolicy } from "../audit";
import { policyFileName } from "../audit/policyFile";
import { locatePolicy } from "../policy/file";
import { defined } from "../values/defined";
import { parseDuration } from "../values/duration";
import { clearPlaces, type Kept, outputsOf, refuseOverwriting, removeReports, writeReports } from "./auditReports";
import { parseStateOption, readJsonFile } from "./auditSources";
import { readStacks, refuseMixtures } from "./auditStacks";
import { type Command, type Io, textOf, textsOf, type Values } from "./command";
import { connect, presentAccount } from "./connection";
import { count } from "./counts";
import { writeFiles } from "./files";
import { reportJson } from "./reports/text";
import { join, makeLinesVisible, say } from "./text";

/** Audits the tokens of the account. */
export const audit: Command = {
  async run(values, io) {
    const wanted = textsOf(values, "output");
    const outputs = outputsOf(wanted);
    refuseMixtures(values);
    const file = policyFileOf(values, io.env);
    const kept = keptFiles(values, file);
    await clearPlaces(outputs, kept);
    await refuseOverwriting(textOf(values, "write-baseline"), kept);
    const { policy, source } = await policyOf(values, file);
    io.warn(say`policy: ${source}`);
    const baselineFile = textOf(values, "baseline");
    const known = baselineFile === undefined ? undefined : readBaseline(await readJsonFile(baselineFile), baselineFile);
    const target = textOf(values, "write-baseline");
    await using client = connect(io);
    const stacks = await readStacks(values, io);
    io.warn(say`listing the tokens of ${client.baseUrl}`);
    const live = await client.tokens.list();
    const nameless = live.odd.filter(({ id }) => id === undefined);
    // Each of them could be a declared token.
    if (nameless.length > 0)
      throw new Error(
        `${client.baseUrl} lists ${count(nameless.length, "token")} without a usable id. Nothing was audited.`,
      );
    const baseline = target === undefined ? known : undefined;
    const result = auditTokens({
      ...presentAccount(io.env),
      ...stacks,
      live,
      policy,
      policySource: source,
      baseline,
      now: client.clock.now(),
    });
    if (target !== undefined) {
      const pieces = [join([reportJson(baselineOf(result.findings), 2), makeLinesVisible("\n")])];
      await writeFiles([{ file: target, pieces, label: "--write-baseline" }]);
      io.warn(say`${target}: ${count(result.findings.length, "finding")} accepted`);
      if (wanted.length === 0) return 0;
    }
    await writeReports(result, outputs, locationOf(textOf(values, "cwd")), io);
    return result.failed && target === undefined ? 1 : 0;
  },

  // A report must not overwrite the policy that the environment names either.
  abandon: (values, { env }) =>
    removeReports(
      textsOf(values, "output"),
      keptFiles(
        values,
        attempt(() => policyFileOf(values, env)),
      ),
    ),
};

/** The files that no report may overwrite. */
const keptFiles = (values: Values, policy: string | undefined): Kept[] => [
  ...[policyFileName, ...(policy === undefined ? [] : [policy])].map((file) => ({ option: "the policy", file })),
  ...textsOf(values, "state").map((text) => ({ option: "--state", file: parseStateOption(text).file })),
  ...["policy", "baseline", "write-baseline"].flatMap((option) =>
    [textOf(values, option) ?? []].flat().map((file) => ({ option: `--${option}`, file })),
  ),
];

/** Finds the policy file: the option, else by the rule that the policy pack uses too. */
function policyFileOf(values: Values, env: Io["env"]): string | undefined {
  const option = textOf(values, "policy");
  if (option !== undefined) return option;
  const here = process.cwd();
  const found = locatePolicy([path.resolve(textOf(values, "cwd") ?? here), here], env);
  if (found === undefined) return undefined;
  const inside = path.relative(here, found);
  return inside.startsWith("..") ? found : inside;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The policy file, overridden by the options. */
async function policyOf(values: Values, file: string | undefined) {
  const policy: Policy = file === undefined ? { version: 1 } : readPolicy(await readJsonFile(file), file);
  const [expiringWithin, failOn] = [textOf(values, "expiring-within"), textOf(values, "fail-on")];
  if (expiringWithin !== undefined && parseDuration(expiringWithin) === undefined)
    throw new Error("--expiring-within: must be a duration such as 12h, 14d or P90D");
  const severity = failOns.find((one) => one === failOn);
  if (failOn !== undefined && severity === undefined)
    throw new Error(`--fail-on: must be one of ${failOns.join(", ")}`);
  const options = (["expiring-within", "fail-on"] as const).flatMap((option) => {
    const value = textOf(values, option);
    return value === undefined ? [] : [`--${option} ${value}`];
  });
  return {
    policy: { ...policy, ...defined({ expiringWithin, failOn: severity }) },
    source: [file ?? "built in", ...options].join(", "),
  };
}

/** The project file, for formats that must name a file of the repository. */
function locationOf(cwd = "."): string {
  const file = path.relative(process.cwd(), path.resolve(cwd, "Pulumi.yaml")).split(path.sep).join("/");
  return file.startsWith("../") || path.isAbsolute(file) ? "Pulumi.yaml" : file;
}
