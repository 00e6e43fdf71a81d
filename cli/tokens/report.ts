import type { CoveredStack, RuleId, Scope, StackIdentity } from "../../audit";
import { canonicalAddress } from "../../values/address";
import { defined } from "../../values/defined";
import { isObject } from "../../values/json";
import type { Values } from "../command";

/** The parts of an audit's report about undeclared tokens. */
export interface AuditReport {
  readonly file: string;
  /** The ids of the tokens that no stack declared. */
  readonly ids: ReadonlySet<string>;
  readonly scope: Scope;
  /** The states that the audit knew. */
  readonly stacks: readonly CoveredStack[];
}

/** Findings about undeclared tokens, which can be adopted or revoked. */
const unclaimed: readonly RuleId[] = ["undeclared", "orphaned"];

/**
 * Reads a report of `--output json`.
 * @throws Error for any other file, and for a report of another service
 */
export async function readReport(file: string, baseUrl: string): Promise<AuditReport> {
  const { readJsonFile } = require("../auditSources") as typeof import("../auditSources"); // with all of the audit
  const report = await readJsonFile(file);
  if (
    !isObject(report) ||
    report.version !== 1 ||
    typeof report.baseUrl !== "string" ||
    !Array.isArray(report.findings)
  ) {
    throw new Error(`--from ${file}: is not a report of "pulumi-event-datasets audit --output json"`);
  }
  if (canonicalAddress(report.baseUrl) !== canonicalAddress(baseUrl)) {
    throw new Error(`--from ${file}: is about ${report.baseUrl}, but the present settings are for ${baseUrl}`);
  }
  const coverage = isObject(report.coverage) ? report.coverage : {};
  const { project, organization } = textsOf(coverage, ["project", "organization"]);
  // A state that the audit did not use can be of a stack that declares a token, too.
  const states = [coverage.stacks, coverage.unused].flatMap((list) => (Array.isArray(list) ? list : []));
  return {
    file,
    ids: new Set(report.findings.flatMap(unclaimedIds)),
    scope: { wanted: coverage.wanted === "all" ? "all" : "named", ...defined({ project, organization }) },
    stacks: states.flatMap(coveredStack),
  };
}

/** The ids of the tokens of a finding about undeclared tokens; findings with one cause are merged. */
function unclaimedIds(finding: unknown): string[] {
  if (!isObject(finding) || !unclaimed.some((rule) => rule === finding.rule)) return [];
  const ids = [
    isObject(finding.token) ? finding.token.id : undefined,
    ...(Array.isArray(finding.ids) ? finding.ids : []),
  ];
  return ids.filter((id) => typeof id === "string");
}

function coveredStack(entry: unknown): CoveredStack[] {
  if (!isObject(entry) || typeof entry.source !== "string") return [];
  const { source, origin } = entry;
  return [
    {
      ...textsOf(entry, ["backend", "organization", "project", "stack", "time", "insteadOf"]),
      source,
      origin: origin === "export" ? "export" : "file",
      tokens: Number(entry.tokens),
    },
  ];
}

function textsOf<K extends string>(object: object, keys: readonly K[]): { readonly [key in K]?: string } {
  const entries = Object.entries(object).filter(([key, value]) => keys.includes(key as K) && typeof value === "string");
  return Object.fromEntries(entries) as { readonly [key in K]?: string };
}

/**
 * Builds the options that read the stacks of a report again.
 * @throws Error for a report that does not name its stacks
 */
export function optionsOf({ file, scope, stacks }: AuditReport, cwd: string | undefined): Values {
  const isAll = scope.wanted === "all";
  const exported = stacks.filter(({ origin }) => origin === "export");
  if (stacks.length === 0 || (!isAll && exported.some(({ stack }) => stack === undefined)))
    throw new Error(`--from ${file}: does not name its stacks: run the audit again with --stack or --all-stacks`);
  return {
    ...defined({ cwd, project: scope.project, organization: scope.organization }),
    "all-stacks": isAll,
    stack: isAll ? [] : exported.map(stackName),
    state: stacks.filter(({ origin }) => origin === "file").map(stateOption),
  };
}

const stackName = ({ organization, project, stack }: StackIdentity): string =>
  (organization !== undefined && project !== undefined ? [organization, project, stack] : [stack]).join("/");

function stateOption({ backend, organization, project, stack, source }: CoveredStack): string {
  if (organization === undefined || project === undefined || stack === undefined) return source;
  const parts = [...(backend === undefined ? [] : [backend]), organization, project, stack];
  return `${parts.join("/")}=${source}`;
}
