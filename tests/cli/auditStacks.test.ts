import { mkdir } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { AuditFolder } from "../support/auditFolder";
import { json, startService } from "../support/service";
import { exportOf } from "../support/states";

const expiresAt = "2999-01-01T00:00:00Z";
const names = ["acme/web/prod", "acme/web/dev", "acme/infra/prod"];

let folder: AuditFolder;

beforeEach(async () => {
  folder = await AuditFolder.create();
  await mkdir(path.join(folder.path, "bin"));
  for (const name of names) {
    const [, project = "", stack = ""] = name.split("/");
    const token = { id: name, name, inputs: { expiresAt }, outputs: { baseUrl: undefined } };
    const state = JSON.stringify(exportOf({ stack, tokens: [token] })).replaceAll("::web::", `::${project}::`);
    await folder.write(`${name.replaceAll("/", "_")}.json`, state);
  }
});

afterEach(() => folder[Symbol.asyncDispose]());

/** Stands for the Pulumi CLI: lists the stacks and prints their states, but for those that a test breaks. */
const pulumi = (broken = "nothing", list: unknown = names.map((name) => ({ name, current: false }))) =>
  folder.write(
    "bin/pulumi",
    `#!/bin/sh
echo "$*" >>asked
case "$1 $2" in
  "stack ls") echo '${JSON.stringify(list)}' ;;
  "stack export")
    case "$*" in *--stack=${broken}*) echo "error: reading ${broken}: EOF" >&2; exit 255 ;; esac
    cat "$(echo "$3" | sed 's/--stack=//; s#/#_#g').json" ;;
esac
`,
    0o755,
  );

async function audit(...args: string[]) {
  await using service = await startService(
    json(
      200,
      names.map((id) => ({ id, name: id, expiresAt })),
    ),
  );
  const env = { PATH: `${path.join(folder.path, "bin")}:${process.env.PATH}` };
  return await folder.run(["audit", ...args], service, env);
}

const asked = async () => (await folder.read("asked")).trimEnd().split("\n");

test("every stack that the Pulumi CLI lists is audited, and nothing else is asked of it", async () => {
  await pulumi();
  const { code, stdout, stderr } = await audit("--all-stacks", "--output", "json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).summary).toMatchObject({ live: 3, declared: 3 });
  expect(stderr).toContain("exporting 3 stacks");
  const [list, ...exports] = await asked();
  expect(list).toBe("stack ls --all --json --non-interactive --color=never");
  expect(exports.sort()).toEqual(
    [...names].sort().map((name) => `stack export --stack=${name} --non-interactive --color=never`),
  );
});

test("a project and an organization narrow the list down", async () => {
  await pulumi();
  await audit("--all-stacks", "--project", "web", "--organization", "acme");
  expect((await asked())[0]).toMatch(/^stack ls --all --json --project=web --organization=acme /);
});

test("a stack that cannot be read is told with what mends it, and nothing is audited", async () => {
  await pulumi("acme/web/dev");
  const { code, stdout, stderr } = await audit("--all-stacks");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("stack acme/web/dev: pulumi stack export failed: error: reading acme/web/dev: EOF");
  expect(stderr).toContain("remove the empty <stack>.json.attrs");
  expect(stderr).toContain("1 of 3 stacks could not be read: mend them, or give the state of each with --state");
});

test("a state file stands for the stack that cannot be read", async () => {
  await pulumi("acme/web/dev");
  const { code, stdout } = await audit("--all-stacks", "--state", "acme_web_dev.json", "--output", "json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).summary).toMatchObject({ live: 3, declared: 3 });
});

test.each<[string, unknown, string[], string]>([
  ["no stack", [], ["--all-stacks", "--project", "web"], "lists no stack of project web: is it logged in"],
  ["a list of another kind", { stacks: [] }, ["--all-stacks"], "the list of stacks: not as the Pulumi CLI prints it"],
  ["a stack without a name", [{}], ["--all-stacks"], "the list of stacks: not as the Pulumi CLI prints it"],
  ["a stack beside all", [], ["--all-stacks", "--stack", "x"], "--stack: is one of --all-stacks"],
  ["a filter of nothing", [], ["--project", "web"], "--project: goes with --all-stacks"],
])("%s is an error", async (_, list, args, reason) => {
  await pulumi("nothing", list);
  const { code, stderr } = await audit(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
});
