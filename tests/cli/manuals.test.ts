import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { failOns } from "../../audit";
import { commandHelp } from "../../cli/help";
import { flagsOf, type Manual } from "../../cli/manual";
import { type CommandName, manuals } from "../../cli/manuals";
import { profiles } from "../../sdk";
import { cli } from "../support/cli";
import { CHECKOUT } from "../support/program";

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

test.each(all)("the help of %s has an example, fits 120 columns and names every option", (name, manual) => {
  const help = commandHelp(name, manual);
  for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  expect(help).toMatch(new RegExp(`Examples:\n  # .+\n  event-datasets ${name}\\b`));
  for (const flag of Object.keys(flagsOf(manual))) expect(help).toContain(`  --${flag}`);
});

test.each(all)("every option in an example of %s exists", (_, manual) => {
  const known = new Set([...Object.keys(flagsOf(manual)), "yes"]);
  for (const { line } of manual.examples) {
    const own = line.split(" -- ")[0] ?? "";
    for (const [, flag = ""] of own.matchAll(/ --([\w-]+)/g)) expect(known).toContain(flag);
  }
});

test("what an option can be is what it can be elsewhere", () => {
  expect(flagsOf(manuals.audit)["fail-on"]?.values).toEqual(failOns);
  expect(flagsOf(manuals.serve).profile?.values).toEqual(profiles);
});

test.each([
  [["-h"], /^Usage: event-datasets <command>/],
  [["help"], /^Usage: event-datasets <command>/],
  [["help", "audit"], /^Usage: event-datasets audit /],
  [["audit", "-h"], /^Usage: event-datasets audit /],
  [["tokens", "revoke", "--help"], /^Usage: event-datasets tokens list/],
])("%j prints help", async (args, start) => {
  const { code, stdout, stderr } = await cli(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(start);
});

test.each([
  [["audti"], 'there is no command "audti"; did you mean "audit"? See "event-datasets --help"'],
  [["help", "querry"], 'there is no command "querry"; did you mean "query"? See "event-datasets --help"'],
  [["--hepl"], 'there is no option "--hepl"; did you mean "--help"? See "event-datasets --help"'],
  [["audit", "--outptu=x"], 'no option --outptu; did you mean "--output"? See "event-datasets audit --help"'],
  [["tokens", "lst"], 'one of list, adopt, revoke; did you mean "list"? See "event-datasets tokens --help"'],
])("%j is told what was probably meant", async (args, message) => {
  const { code, stdout, stderr } = await cli(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
});

test("the page about the command line is what the commands print (node scripts/commandLine.mjs)", async () => {
  const page = await readFile(path.join(CHECKOUT, "docs/commandLine.md"), "utf8");
  for (const [name, manual] of all)
    expect(page).toContain(
      `### ${name}\n\n`.concat(`${capital(manual.summary)}.\n\n\`\`\`text\n${commandHelp(name, manual)}\n\`\`\`\n`),
    );
  expect(page.match(/^### /gm)).toHaveLength(all.length);
});

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What bash would offer after these words, the last of which is being written. */
function completions(...words: string[]): string[] {
  const program = [
    `source ${scripts.bash}`,
    'COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))',
    "_event_datasets",
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join("\n");
  const args = ["--noprofile", "--norc", "-c", program, "bash", "event-datasets", ...words];
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

test("every shell that is installed can read its completion", () => {
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

test("the recording is of commands that exist, and holds no credential (node scripts/recording.mjs)", async () => {
  const [header = "", ...events] = (await readFile(path.join(CHECKOUT, "docs/commandLine.cast"), "utf8"))
    .trimEnd()
    .split("\n");
  expect(JSON.parse(header)).toMatchObject({ version: 2, width: expect.any(Number), height: expect.any(Number) });
  const parsed: [number, string, string][] = events.map((line) => JSON.parse(line));
  expect(parsed.map(([at]) => at)).toEqual(parsed.map(([at]) => at).sort((a, b) => a - b));
  const text = parsed.map(([, , shown]) => shown).join("");
  expect(text).toContain(commandHelp("completion", manuals.completion).replaceAll("\n", "\r\n"));
  expect(text).not.toMatch(/xaat-/);
});
