import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { failOns } from "../../audit";
import { readArguments } from "../../cli/arguments";
import { completeLine } from "../../cli/completion";
import { commandHelp, generalHelp } from "../../cli/help";
import type { Manual } from "../../cli/manual";
import { type CommandName, manuals, overview } from "../../cli/manuals";
import { environmentNames } from "../../sdk";
import { version } from "../../sdk/version";
import { builtCli } from "../support/checkout";
import { cli } from "../support/cli";
import { makeFolder } from "../support/suite";

const all = Object.entries(manuals) as [CommandName, Manual][];

test("help fits a terminal of 80 columns, but for examples, which stay on one line to be copied", () => {
  const help = [generalHelp(manuals, overview), ...all.map(([name, manual]) => commandHelp(name, manual))].join("\n");
  const wide = help.split("\n").filter((line) => line.length > 80 && !line.includes("  pulumi-event-datasets "));
  expect(wide).toEqual([]);
});

test.each(all)("the help of %s has examples, of options that exist, and names every option", (name, manual) => {
  const help = commandHelp(name, manual);
  const known = [...Object.keys(manual.flags), "yes"];
  for (const { line } of manual.examples) {
    const [own = ""] = line.split(" -- ");
    for (const [, flag = ""] of own.matchAll(/ --([\w-]+)/g)) expect(known).toContain(flag);
  }
  expect(help).toMatch(new RegExp(`Examples:\n  # (.|\n  #)+\n  .*pulumi-event-datasets ${name}\\b`));
  for (const flag of Object.keys(manual.flags)) expect(help).toMatch(new RegExp(`^  (-\\w, )?--${flag}[ \\[]`, "m"));
});

test.each(all)("no option of %s takes an empty value, which an unset variable of a script leaves", (name, manual) => {
  for (const [option, { value, bare }] of Object.entries(manual.flags)) {
    if (value === undefined) continue;
    for (const args of [[`--${option}=`], ...(bare === undefined ? [[`--${option}`, ""]] : [])])
      expect(readArguments(name, manual, args).problem).toContain(`--${option}: is empty`);
  }
});

test("an option in the help has exactly the supported values", () => {
  expect(manuals.audit.flags["fail-on"].values).toEqual(failOns);
});

test.each([
  [["-h"], /^Usage: pulumi-event-datasets <command>/],
  [["help"], /^Usage: pulumi-event-datasets <command>/],
  [["help", "audit"], /^Usage: pulumi-event-datasets audit /],
  [["--help", "audit"], /^Usage: pulumi-event-datasets audit /],
  [["tokens", "-h", "list"], /^Usage: pulumi-event-datasets tokens list /],
  [["audit", "-h"], /^Usage: pulumi-event-datasets audit /],
  [["tokens", "revoke", "--help"], /^Usage: pulumi-event-datasets tokens revoke /],
  [["tokens", "--help"], /^Usage: pulumi-event-datasets tokens <command> \[options\]\n\nCommands:\n {2}tokens list /],
  [["help", "tokens"], /^Usage: pulumi-event-datasets tokens <command> /],
])("%j prints help", async (args, start) => {
  const { code, stdout, stderr } = await cli(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(start);
});

test("without arguments, or with a group of commands alone, it prints help and fails: a CI job may have lost the rest", async () => {
  for (const args of [[], ["tokens"]]) {
    const { stdout } = await cli([...args, "--help"]);
    expect(await cli(args)).toMatchObject({ code: 2, stderr: "", stdout });
  }
});

test("the general help names every variable, an example and the documentation", async () => {
  const { stdout } = await cli(["--help"]);
  for (const name of Object.values(environmentNames)) expect(stdout).toContain(`  ${name} `);
  expect(stdout).toMatch(/\nExamples:\n {2}# .+\n {2}pulumi-event-datasets doctor\n/);
  expect(stdout).toContain("Documentation: docs/commandLine.md");
});

test("options that pulumi and gh have in short are short here too", async () => {
  const given = (name: CommandName, ...args: string[]) => readArguments(name, manuals[name], args);
  expect(given("audit", "-s", "dev", "-o", "json", "-C", "web").values).toMatchObject({
    stack: ["dev"],
    output: ["json"],
    cwd: "web",
  });
  expect(given("tokens revoke", "--id", "1", "-y").values).toMatchObject({ yes: true });
  expect(given("query", "-o", "json").values).toMatchObject({ output: "json" });
  expect(commandHelp("audit", manuals.audit)).toMatch(/^ {2}-s, --stack <name> .*(\n.*)*\n {2}-C, --cwd <folder> /m);
});

test("a command has the options of its manual, and a misspelt one does not compile", () => {
  const { values } = readArguments("audit", manuals.audit, ["--expiring-within", "3d", "--all-stacks"]);
  const typed: readonly [string | undefined, boolean, readonly string[]] = [
    values["expiring-within"],
    values["all-stacks"],
    values.stack,
  ];
  expect(typed).toEqual(["3d", true, []]);
  // @ts-expect-error: a misspelt option
  expect(values["expiring-whithin"]).toBeUndefined();
  // @ts-expect-error: an option of another command
  expect(values.force).toBeUndefined();
});

test("a command runs in the folder of --cwd", async () => {
  const folder = makeFolder();
  await writeFile(path.join(folder, "package.json"), "{}");
  const { stdout } = await cli(["doctor", "-C", folder]);
  expect(stdout).toContain(`is not in the package.json of ${folder}`);
  expect(await cli(["doctor", `--cwd=${folder}/none`])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`--cwd ${folder}/none: not a folder`),
  });
});

test.each(["-V", "--version"])("%s prints the version", async (option) => {
  expect(await cli([option])).toMatchObject({ code: 0, stdout: `${version}\n` });
});

test.each([
  [["audti"], 'there is no command "audti"; did you mean "audit"? See "pulumi-event-datasets --help"'],
  [["help", "querry"], 'there is no command "querry"; did you mean "query"? See "pulumi-event-datasets --help"'],
  [["--hepl"], 'there is no option "--hepl"; did you mean "--help"? See "pulumi-event-datasets --help"'],
  [
    ["audit", "--outptu=x"],
    'Unknown option \'--outptu\'; did you mean "--output"? See "pulumi-event-datasets audit --help"',
  ],
  [["query", "--start"], "--start: its value is missing"],
  [["query", "--start", "--all"], '--start: its value is missing; a value that begins with "-" needs "="'],
  // An option of another subcommand is not accepted in silence.
  [["tokens", "list", "--yes"], "Unknown option '--yes'"],
  [["tokens", "revoke", "--name", "x"], "Unknown option '--name'"],
  [["tokens", "twice"], 'there is no command "tokens twice"'],
  [["audit", "--all-stacks=yes"], "--all-stacks: takes no value"],
  [["doctor", "-x"], "Unknown option '-x'"],
  [["doctor", "now"], "doctor takes options only"],
  [
    ["tokens", "lst"],
    'there is no command "tokens lst"; did you mean "tokens list"? See "pulumi-event-datasets --help"',
  ],
  [["tokens", "list", "--name", "a", "--name=b"], "--name: is given more than once"],
  [["completion", "basch"], 'the shell must be one of bash, zsh, fish; did you mean "bash"?'],
])("%j is told which argument is wrong, by its name as it was typed", async (args, message) => {
  const { code, stdout, stderr } = await cli(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
});

/** The words that can stand in the place of the last one. */
const complete = (...words: string[]) => completeLine({ COMP_LINE: ["pulumi-event-datasets", ...words].join(" ") });

test("commands, subcommands, options and their values are completed", () => {
  const first = new Set(Object.keys(manuals).map((name) => name.split(" ")[0]));
  expect(complete("").sort()).toEqual([...first, "--help", "--version", "help"].sort());
  expect(complete("aud")).toEqual(["audit"]);
  expect(complete("audit", "--st")).toEqual(["--stack", "--state"]);
  expect(complete("audit", "--fail-on", "")).toEqual(["error", "warning", "none"]);
  expect(complete("audit", "--output=j")).toEqual(["json", "junit"]);
  expect(complete("audit", "--output", "")).toContain("sarif");
  expect(complete("tokens", "re")).toEqual(["revoke"]);
  expect(complete("tokens", "list", "--y")).toEqual([]);
  expect(complete("tokens", "revoke", "--y")).toEqual(["--yes"]);
  expect(complete("help", "re")).toEqual(["recover"]);
  expect(complete("completion", "")).toEqual(expect.arrayContaining(["bash", "zsh", "fish"]));
  // Names of files are for the shell.
  expect(complete("audit", "--state", "pro")).toEqual([]);
  expect(complete("audit", "--cwd", "")).toEqual([]);
  expect(complete("annotate", "--dataset", "web", "--", "pro")).toEqual([]);
  expect(complete("nothing", "")).toEqual([]);
});

/** Prints the completion of a shell into a file. */
async function withScript(shell: string, use: (script: string, folder: string) => void) {
  const folder = makeFolder();
  const { code, stdout } = await cli(["completion", shell]);
  expect(code).toBe(0);
  await writeFile(path.join(folder, shell), stdout);
  await writeFile(path.join(folder, "prod.json"), "{}");
  use(path.join(folder, shell), folder);
}

test("bash asks the command, and completes names of files by itself", () =>
  withScript("bash", (script, cwd) => {
    // As bash itself calls the command of "complete -C".
    const program = [
      `pulumi-event-datasets() { "${process.execPath}" "${builtCli()}" "$@"; }`,
      `source ${script}`,
      "command=$(complete -p pulumi-event-datasets | sed \"s/.*-C '\\(.*\\)' .*/\\1/\")",
      'COMP_LINE="$1" $command',
    ].join("\n");
    const ask = (line: string) =>
      execFileSync("bash", ["--noprofile", "--norc", "-c", program, "bash", `pulumi-event-datasets ${line}`], {
        encoding: "utf8",
        cwd,
      }).trimEnd();
    expect(ask("tokens f")).toBe("find");
    expect(ask("audit --output=ju")).toBe("junit");
    expect(ask("audit --state pro")).toBe("");
  }));

test("fish completes names of files only where the command has no word", () =>
  withScript("fish", (script) => {
    const text = readFileSync(script, "utf8");
    expect(text).toMatch(/^complete --command pulumi-event-datasets --no-files /);
    expect(text).toMatch(/; or __fish_complete_path /);
  }));

test.each(manuals.completion.argument.values)("%s, if it is installed, can read its completion", (shell) =>
  withScript(shell, (script) => {
    const isInstalled = spawnSync(shell, ["-c", "true"]).error === undefined;
    expect(isInstalled || shell !== "bash").toBe(true);
    if (isInstalled) execFileSync(shell, ["-n", script]);
  }),
);
