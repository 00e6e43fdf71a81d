import path from "node:path";
import { auditTokens, type Policy } from "../audit";
import { policyFileName } from "../audit/policyFile";
import type { EventDatasets } from "../sdk";
import { defined } from "../values/defined";
import { findAbove, findProjectFile } from "./auditBackend";
import { checkPlaces, type Kept, outputsOf, removeReports, writeReports } from "./auditReports";
import { parseStateOption } from "./auditSources";
import { readStacks } from "./auditStacks";
import type { Command, Io, Values } from "./command";
import { connect, presentAccount, requireSameClock, usesToken } from "./connection";
import { count } from "./counts";
import { nameMakers, readMakers } from "./makers";
import { policyFileOf, policyIn } from "./policyOption";
import { say } from "./text";
import { acceptanceOf, acceptFindings } from "./writePolicy";

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
