import { access } from "node:fs/promises";
import path from "node:path";
import { auditTokens, baselineOf, failOns, type Policy, readBaseline, readPolicy } from "../audit";
import { defined } from "../sdk/values/defined";
import { parseDuration } from "../sdk/values/duration";
import { clearPlaces, type Kept, outputsOf, removeReports, valuesOf, writeReports } from "./auditReports";
import { jsonFile } from "./auditSources";
import { readStacks, refuseMixtures } from "./auditStacks";
import { type Command, textOf, textsOf, type Values } from "./command";
import { connect, presentAccount } from "./connection";
import { writeFiles } from "./files";
import { defaultPolicy } from "./manuals/audit";
import { count, safeJson } from "./reports/text";

/** Audits the tokens of the account. */
export const audit: Command = {
  async run(values, io) {
    const wanted = textsOf(values, "output");
    const outputs = outputsOf(wanted);
    refuseMixtures(values);
    await clearPlaces(
      outputs,
      keptFiles((option) => [values[option] ?? []].flat().map(String)),
    );
    const policy = await policyOf(values);
    const baselineFile = textOf(values, "baseline");
    const known = baselineFile === undefined ? undefined : readBaseline(await jsonFile(baselineFile), baselineFile);
    const target = textOf(values, "write-baseline");
    await using client = connect(io);
    const stacks = await readStacks(values, io);
    io.warn(`listing the tokens of ${client.baseUrl}`);
    const live = await client.tokens.list();
    const nameless = live.odd.filter(({ id }) => id === undefined);
    // Any of them could be a token that a stack declares.
    if (nameless.length > 0)
      throw new Error(`${client.baseUrl} lists ${count(nameless.length, "token")} without a usable id: cannot tell`);
    const baseline = target === undefined ? known : undefined;
    const result = auditTokens({ ...presentAccount(io.env), live, stacks, policy, baseline });
    if (target !== undefined) {
      const pieces = [`${safeJson(baselineOf(result.findings), 2)}\n`];
      await writeFiles([{ file: target, pieces, label: "--write-baseline" }]);
      io.warn(`${target}: ${count(result.findings.length, "finding")} accepted`);
      if (wanted.length === 0) return 0;
    }
    await writeReports(result, outputs, locationOf(textOf(values, "cwd")), io);
    return result.failed && target === undefined ? 1 : 0;
  },

  abandon: (args) =>
    removeReports(
      args,
      keptFiles((option) => valuesOf(args, `--${option}`)),
    ),
};

/** The files that no report may take the place of. */
const keptFiles = (valuesOf: (option: string) => readonly string[]): Kept[] => [
  ...["state", "policy", "baseline", "write-baseline"].flatMap((option) =>
    valuesOf(option).map((file) => ({ option: `--${option}`, file })),
  ),
  { option: "the policy", file: defaultPolicy },
];

/** The policy file, and over it what the options say. */
async function policyOf(values: Values): Promise<Policy> {
  const file = textOf(values, "policy") ?? ((await exists(defaultPolicy)) ? defaultPolicy : undefined);
  const policy: Policy = file === undefined ? { version: 1 } : readPolicy(await jsonFile(file), file);
  const [expiringWithin, failOn] = [textOf(values, "expiring-within"), textOf(values, "fail-on")];
  if (expiringWithin !== undefined && parseDuration(expiringWithin) === undefined)
    throw new Error("--expiring-within: must be a duration such as 12h, 14d or P90D");
  const severity = failOns.find((one) => one === failOn);
  if (failOn !== undefined && severity === undefined)
    throw new Error(`--fail-on: must be one of ${failOns.join(", ")}`);
  return { ...policy, ...defined({ expiringWithin, failOn: severity }) };
}

/** The project file, for reports that must name a file of the repository. */
function locationOf(cwd = "."): string {
  const file = path.relative(process.cwd(), path.resolve(cwd, "Pulumi.yaml")).split(path.sep).join("/");
  return file.startsWith("../") || path.isAbsolute(file) ? "Pulumi.yaml" : file;
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
