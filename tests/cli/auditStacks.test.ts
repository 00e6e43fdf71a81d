import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { AuditFolder, fakePulumi, stackOf } from "../support/auditFolder";
import { json, startService } from "../support/service";

const expiresAt = "2999-01-01T00:00:00Z";
const names = ["acme/web/prod", "acme/web/dev", "acme/infra/prod"];

let folder: AuditFolder;

beforeEach(async () => {
  folder = await AuditFolder.create();
});

afterEach(() => folder[Symbol.asyncDispose]());

/** Stands for the Pulumi CLI, in which a test breaks one stack. */
const pulumi = async (broken = "nothing", list?: unknown) => {
  await fakePulumi(folder, {
    stacks: names.map((name) => ({
      name,
      tokens: [{ id: name, name, inputs: { expiresAt }, outputs: { baseUrl: undefined } }],
      ...(name === broken ? { broken: `reading ${name}: EOF` } : {}),
    })),
    list,
  });
};

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

const readCalls = async () => (await folder.read("asked")).trimEnd().split("\n");

test("every stack that the Pulumi CLI lists is audited, and the CLI gets no other command", async () => {
  await pulumi();
  const { code, stdout, stderr } = await audit("--all-stacks", "--output", "json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).summary).toMatchObject({ live: 3, declared: 3 });
  expect(stderr).toContain("exporting 3 stacks");
  const [backend, list, ...exports] = await readCalls();
  expect(backend).toBe("whoami --verbose --json --non-interactive --color=never");
  expect(list).toBe("stack ls --all --json --non-interactive --color=never");
  expect(exports.sort()).toEqual(
    [...names].sort().map((name) => `stack export --stack=${name} --non-interactive --color=never`),
  );
});

test("a stack that cannot be read is named with a fix, and nothing is audited", async () => {
  await pulumi("acme/web/dev");
  const { code, stdout, stderr } = await audit("--all-stacks");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("stack acme/web/dev: pulumi stack export failed: error: reading acme/web/dev: EOF");
  expect(stderr).toContain("remove the empty .attrs file beside the checkpoint of the stack");
  expect(stderr).toContain("repair it, or pass its state: --state acme/web/dev=FILE. Nothing was audited.");
});

test("a state file stands for a stack that cannot be read, and every report says so", async () => {
  await pulumi("acme/web/dev");
  const file = "bin/acme_web_dev.json";
  const { code, stdout } = await audit("--all-stacks", "--state", `acme/web/dev=${file}`, "--output", "json");
  expect(code).toBe(0);
  const { summary, coverage } = JSON.parse(stdout);
  expect(summary).toMatchObject({ live: 3, declared: 3 });
  expect(coverage).toMatchObject({
    wanted: "all",
    stacks: [
      { source: file, origin: "file", organization: "acme", project: "web", stack: "dev", tokens: 1 },
      { source: "stack acme/web/prod", origin: "export", backend: "https://api.pulumi.example.com/acme" },
      { source: "stack acme/infra/prod", origin: "export", time: "2026-11-21T12:00:00Z" },
    ],
  });
  expect(coverage.stacks[0].insteadOf).toContain("reading acme/web/dev: EOF");
});

test.each<[string, unknown, string[], string]>([
  ["no stack", [], ["--all-stacks"], "lists no stacks: is it logged in"],
  ["a list of another kind", { stacks: [] }, ["--all-stacks"], "the list of stacks: not as the Pulumi CLI prints it"],
  ["a stack without a name", [{}], ["--all-stacks"], "the list of stacks: not as the Pulumi CLI prints it"],
  ["a stack beside all", [], ["--all-stacks", "--stack", "x"], "--stack and --all-stacks cannot be combined"],
])("%s is an error", async (_, list, args, reason) => {
  await pulumi("nothing", list);
  const { code, stderr } = await audit(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
});

test("a stack that was imported from another one with --force is audited by the name of its export", async () => {
  const imported = { ...stackOf("acme/web/prod", names[0] ?? ""), name: "acme/web/copy" };
  await fakePulumi(folder, { stacks: [imported] });
  await folder.write(
    "bin/acme_web_copy.json",
    await folder
      .read("bin/acme_web_copy.json")
      .then((text) => text.replaceAll("::copy::", "::prod::").replaceAll(":copy::", ":prod::")),
  );
  const { code, stdout } = await audit("--all-stacks", "--output", "json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout).coverage.stacks).toMatchObject([{ stack: "copy", project: "web", tokens: 1 }]);
});
