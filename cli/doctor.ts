import path from "node:path";
import { parseJson } from "../audit/jsonFile";
import { fromEnvironment, resolveSettings } from "../sdk";
import { findProjectFile } from "./auditBackend";
import type { Command, Io } from "./command";
import { type Check, checkService, findUses, missAnswer } from "./doctor/service";
import { checkProxy, checkSettings, type StackConfig, stackConfigOf } from "./doctor/settings";
import { checkVersions } from "./doctor/versions";
import { withProgress } from "./progress";
import { runPulumi } from "./pulumi";
import { count, say } from "./text";

const signs = {
  ok: "ok",
  advice: "ADVICE",
  problem: "PROBLEM",
  unknown: "-",
  silent: "NO ANSWER",
} as const satisfies Record<Check["state"], string>;

/** Checks the settings and the connection, and shows where each setting came from. */
export const doctor: Command<"doctor"> = {
  async run(_values, io) {
    const folder = process.cwd();
    const config = await withProgress(say`reading the stack config`, io.progress, configOf(folder, io));
    const settings = checkSettings(io.env, config);
    const canAsk = "settings" in resolveSettings([fromEnvironment({ ...io.env })]);
    const isMissing = settings.some(({ state }) => state === "problem");
    const unasked = isMissing
      ? []
      : [missAnswer("not checked: commands take their settings from the environment only")];
    const project = findProjectFile(folder);
    const uses = project === undefined ? {} : await findUses(path.dirname(project));
    const service = canAsk ? await checkService(io, uses) : unasked;
    const versions = await withProgress(say`asking the engine`, io.progress, checkVersions(folder, project, io));
    const isSilent = service.some(({ state }) => state === "silent");
    const sections = {
      Settings: [...settings, ...checkProxy(io.env)],
      Service: service,
      Versions: versions,
    };
    for (const [title, checks] of Object.entries(sections).filter(([, checks]) => checks.length > 0)) {
      io.print(say`${title}`);
      for (const { state, text } of checks) io.print(say`  ${signs[state].padEnd(9)}  ${text}`);
    }
    const all = Object.values(sections).flat();
    const problems = all.filter(({ state }) => state === "problem").length;
    const found = problems === 0 ? "no problems found" : `${count(problems, "problem")} found`;
    const silence = `could not check: the service could not be reached${problems > 0 ? `; ${found}` : ""}`;
    io.print(say`${isSilent ? silence : found}`);
    if (isSilent) return 2;
    return problems > 0 ? 1 : 0;
  },
};

/** The config of the selected stack; undefined if there is no project, no engine or no stack. */
async function configOf(folder: string, io: Io): Promise<StackConfig | undefined> {
  if (findProjectFile(folder) === undefined) return undefined;
  try {
    return stackConfigOf(parseJson(await runPulumi(["config", "--json"], "the stack config", io), "the stack config"));
  } catch {
    return undefined; // the section about versions says what is wrong with the engine
  }
}
