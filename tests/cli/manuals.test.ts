import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { failOns } from "../../audit";
import { readArguments } from "../../cli/arguments";
import { commandHelp, generalHelp } from "../../cli/help";
import { flagsOf, type Manual } from "../../cli/manual";
import { type CommandName, manuals, overview } from "../../cli/manuals";
import { environmentNames, profiles } from "../../sdk";
import { version } from "../../sdk/version";
import { cli } from "../support/cli";

const all = Object.entries(manuals) as [CommandName, Manual][];

let folder: string;
const scripts: Record<string, string> = {};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "event-datasets-completion-"));
  for (const shell of manuals.completion.argument.values) {
    const { code, stdout } = await cli(["completion", shell]);
    expect(code).toBe(0);
    scripts[shell] = path.join(folder, shell);
    await writeFile(path.join(folder, shell), stdout);
  }
  await writeFile(path.join(folder, "prod.json"), "{}");
});

afterAll(() => rm(folder, { recursive: true }));

/** Lines that are wider than a terminal though a space would have broken them. */
const tooWide = (help: string, width: number): string[] =>
  help.split("\n").filter((line) => line.length > width && !/^ *(?:\S+|"[^"]*")(?: \\)?$/.test(line));

test.each([40, 80, 120])("all help fits a terminal of %i columns", (width) => {
  expect(tooWide(generalHelp(manuals, overview, width), width)).toEqual([]);
  for (const [name, manual] of all) expect(tooWide(commandHelp(name, manual, width), width)).toEqual([]);
});

test("help is as wide as the terminal, or as COLUMNS says without a terminal", async () => {
  const { stdout } = await cli(["query", "--help"], { env: { COLUMNS: "40" } });
  expect(stdout).toBe(`${commandHelp("query", manuals.query, 40)}\n`);
});

test("an example that is longer than a line can be copied", () => {
  const narrow = commandHelp("query", manuals.query, 40).split("Examples:\n")[1]?.split("\n\n")[0] ?? "";
  const lines = narrow.replaceAll(/ \\\n +/g, " ").split("\n");
  expect(lines.filter((line) => !line.startsWith("  #"))).toEqual(
    manuals.query.examples.map(({ line }) => `  pulumi-event-datasets ${line}`),
  );
});

test.each(all)("the help of %s has an example and names every option", (name, manual) => {
  const help = commandHelp(name, manual);
  expect(help).toMatch(new RegExp(`Examples:\n  # .+\n  pulumi-event-datasets ${name}\\b`));
  for (const flag of Object.keys(flagsOf(manual))) expect(help).toContain(`  --${flag}`);
});

test.each(all)("no option of %s takes an empty value, which an unset variable of a script leaves", (name, manual) => {
  for (const [option, { value }] of Object.entries(flagsOf(manual))) {
    if (value === undefined) continue;
    for (const args of [[`--${option}=`], [`--${option}`, ""]])
      expect(readArguments(name, manual, args).problem).toContain(`--${option}: is empty`);
  }
});

test.each(all)("every option in an example of %s exists", (_, manual) => {
  const known = new Set([...Object.keys(flagsOf(manual)), "yes"]);
  for (const { line } of manual.examples) {
    const own = line.split(" -- ")[0] ?? "";
    for (const [, flag = ""] of own.matchAll(/ --([\w-]+)/g)) expect(known).toContain(flag);
  }
});

test("an option in the help has exactly the supported values", () => {
  expect(flagsOf(manuals.audit)["fail-on"]?.values).toEqual(failOns);
  expect(flagsOf(manuals.serve).profile?.values).toEqual(profiles);
});

test.each([
  [["-h"], /^Usage: pulumi-event-datasets <command>/],
  [["help"], /^Usage: pulumi-event-datasets <command>/],
  [["help", "audit"], /^Usage: pulumi-event-datasets audit /],
  [["audit", "-h"], /^Usage: pulumi-event-datasets audit /],
  [["tokens", "revoke", "--help"], /^Usage: pulumi-event-datasets tokens list/],
])("%j prints help", async (args, start) => {
  const { code, stdout, stderr } = await cli(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(start);
});

test("without arguments the command prints help and fails, because a CI job may have lost its arguments", async () => {
  const { code, stdout, stderr } = await cli([]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
  expect(stdout).toBe((await cli(["--help"])).stdout);
});

test("the general help names every variable, an example and the documentation", async () => {
  const { stdout } = await cli(["--help"]);
  for (const name of Object.values(environmentNames)) expect(stdout).toContain(`  ${name} `);
  expect(stdout).toMatch(/\nExamples:\n {2}# .+\n {2}pulumi-event-datasets doctor\n/);
  expect(stdout).toContain("Documentation: docs/commandLine.md");
});

test.each(["-V", "--version"])("%s prints the version", async (option) => {
  expect(await cli([option])).toMatchObject({ code: 0, stdout: `${version}\n` });
});

test.each([
  [["audti"], 'there is no command "audti"; did you mean "audit"? See "pulumi-event-datasets --help"'],
  [["help", "querry"], 'there is no command "querry"; did you mean "query"? See "pulumi-event-datasets --help"'],
  [["--hepl"], 'there is no option "--hepl"; did you mean "--help"? See "pulumi-event-datasets --help"'],
  [["audit", "--outptu=x"], 'no option --outptu; did you mean "--output"? See "pulumi-event-datasets audit --help"'],
  [["query", "--timeout"], "--timeout: needs a value"],
  [["query", "--dataset", "--all"], '--dataset: needs a value; one that begins with "-" is written as --dataset=<id>'],
  [["audit", "--all-stacks=yes"], "--all-stacks: takes no value"],
  [["doctor", "-x"], "there is no option -x"],
  [["doctor", "now"], "doctor takes options only"],
  [["tokens", "lst"], 'one of list, adopt, revoke; did you mean "list"? See "pulumi-event-datasets tokens --help"'],
])("%j is told which argument is wrong, by its name as it was typed", async (args, message) => {
  const { code, stdout, stderr } = await cli(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
});

/** The completions that bash offers after these words, the last of which is incomplete. */
function completions(...words: string[]): string[] {
  const program = [
    `source ${scripts.bash}`,
    'COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))',
    "_event_datasets",
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join("\n");
  const args = ["--noprofile", "--norc", "-c", program, "bash", "pulumi-event-datasets", ...words];
  return execFileSync("bash", args, { encoding: "utf8", cwd: folder }).split("\n").filter(Boolean).sort();
}

test("bash completes commands, options, their values, files and folders", () => {
  expect(completions("")).toEqual([...Object.keys(manuals), "--help", "--version", "help"].sort());
  expect(completions("aud")).toEqual(["audit"]);
  expect(completions("audit", "--st")).toEqual(["--stack", "--state"]);
  expect(completions("audit", "--fail-on", "")).toEqual(["error", "none", "warning"]);
  expect(completions("audit", "--output", "=", "j")).toEqual(["json", "junit"]);
  expect(completions("audit", "--output", "=")).toContain("sarif");
  expect(completions("audit", "--state", "pro")).toEqual(["prod.json"]);
  expect(completions("audit", "--cwd", "pro")).toEqual([]);
  expect(completions("serve", "--port", "")).toEqual([]);
  expect(completions("tokens", "re")).toEqual(["revoke"]);
  expect(completions("help", "re")).toEqual(["recover"]);
  expect(completions("annotate", "--dataset", "web", "--", "pro")).toEqual(["prod.json"]);
  expect(completions("nothing", "")).toEqual([]);
});

test("every installed shell can read its completion", () => {
  const installed = Object.keys(scripts).filter((shell) => {
    try {
      execFileSync(shell, ["-c", "true"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
  expect(installed).toContain("bash");
  for (const shell of installed) execFileSync(shell, ["-n", scripts[shell] ?? ""]);
});
