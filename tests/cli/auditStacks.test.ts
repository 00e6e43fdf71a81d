import { expect, test } from "@jest/globals";
import { runPulumi } from "../../cli/pulumi";
import { exportStack, type FakeCli, stackOf, useAuditFolder } from "../support/auditFolder";

const folder = useAuditFolder();

const names = ["acme/web/prod", "acme/web/dev", "acme/infra/prod"];
const stacks = names.map((name, n) => stackOf(name, String(n)));
const live = ["0", "1", "2"];
/** One of the stacks cannot be read. */
const broken = stacks.map((stack) => (stack.name === "acme/web/dev" ? { ...stack, broken: "EOF" } : stack));
const [prod, dev] = stacks as [(typeof stacks)[0], (typeof stacks)[0]];

const audit = (cli: FakeCli, ...args: string[]) => folder.runBeside(cli, live, ["audit", "--output", "json", ...args]);

test("every stack that the Pulumi CLI lists is audited, and the CLI gets no other command", async () => {
  const { code, stdout, stderr } = await audit({ stacks }, "--all-stacks");
  expect(code).toBe(0);
  expect(JSON.parse(stdout).summary).toMatchObject({ live: 3, declared: 3 });
  expect(stderr).toContain("exporting 3 stacks");
  const [backend, list, ...exports] = (await folder.read("asked")).trimEnd().split("\n");
  expect(backend).toBe("whoami --verbose --json --non-interactive --color=never");
  expect(list).toBe("stack ls --all --json --non-interactive --color=never");
  expect(exports.sort()).toEqual(
    [...names].sort().map((name) => `stack export --stack=${name} --non-interactive --color=never`),
  );
});

test("a stack that cannot be read is named with a fix, and nothing is audited", async () => {
  const { code, stdout, stderr } = await audit({ stacks: broken }, "--all-stacks");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("stack acme/web/dev: pulumi stack export failed: error: EOF");
  expect(stderr).toContain("remove the empty .attrs file beside the checkpoint of the stack");
  expect(stderr).toContain("repair it, or pass its state: --state acme/web/dev=FILE. Nothing was audited.");
});

test("a state file stands for the stack that it is named after if that cannot be read, and every report says so", async () => {
  await folder.write("dev.json", exportStack(dev));
  const { code, stdout } = await audit({ stacks: broken }, "--all-stacks", "--state", "acme/web/dev=dev.json");
  expect(code).toBe(0);
  const { summary, coverage } = JSON.parse(stdout);
  expect(summary).toMatchObject({ live: 3, declared: 3 });
  expect(coverage).toMatchObject({
    wanted: "all",
    stacks: [
      { source: "dev.json", origin: "file", organization: "acme", project: "web", stack: "dev", tokens: 1 },
      { source: "stack acme/web/prod", origin: "export", backend: "https://api.pulumi.example.com/acme" },
      { source: "stack acme/infra/prod", origin: "export", time: "2026-11-21T12:00:00Z" },
    ],
  });
  expect(coverage.stacks[0].insteadOf).toContain("EOF");
});

const others = { stacks: [prod, { ...stackOf("beta/web/prod", "2"), broken: "EOF" }] };

test.each<[string, FakeCli, string[], string]>([
  ["no stack", { stacks: [] }, [], "lists no stacks: is it logged in"],
  [
    "a list of another kind",
    { stacks, list: { stacks: [] } },
    [],
    "the list of stacks: unexpected output of the Pulumi CLI",
  ],
  ["a stack without a name", { stacks, list: [{}] }, [], "the list of stacks: unexpected output of the Pulumi CLI"],
  [
    "a short name without a URL",
    { stacks, list: [{ name: "prod" }] },
    [],
    "does not name its organization and project",
  ],
  [
    "a backend of the old layout",
    // In short, as the engine 3.259 says it. From 3.275 on it refuses the layout whatever is set.
    { stacks, listFails: "====== Legacy DIY state is deprecated, please upgrade your state ======" },
    [],
    "please upgrade your state: set PULUMI_DIY_BACKEND_IGNORE_DEPRECATION_ERROR=1 for a Pulumi CLI before 3.275,",
  ],
  ["a stack beside all", { stacks }, ["--stack", "x"], "--stack and --all-stacks cannot be combined"],
  ["a file for the stack of another organization", others, ["--state", "prod.json"], "beta/web/prod"],
  ["a file with another name", others, ["--state", "beta/infra/prod=prod.json"], "web/prod, not of beta/infra/prod"],
  [
    "a file of a stack that can be read",
    { stacks },
    ["--state", "acme/web/prod=prod.json"],
    "prod.json and stack acme/web/prod are both states of acme/web/prod: leave one of them",
  ],
  [
    "a file of such a stack without its name",
    { stacks },
    ["--state", "prod.json"],
    "prod.json and stack acme/web/prod are both states of acme/web/prod, but it is not clear",
  ],
])("%s is an error", async (_, cli, args, reason) => {
  await folder.write("prod.json", exportStack(prod));
  const { code, stdout, stderr } = await audit(cli, "--all-stacks", ...args);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(reason)]);
});

test("an option that cannot be meant is refused before a stack is exported", async () => {
  for (const [option, reason] of [
    ["--fail-on=high", "--fail-on: must be one of error, warning, none"],
    ["--expiring-within=soon", "--expiring-within: must be a duration"],
  ] as const) {
    const { code, stderr } = await audit({ stacks }, "--all-stacks", option);
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
    await expect(folder.read("asked")).rejects.toThrow("ENOENT");
  }
});

test("a stale state protects the tokens in it from being revoked", async () => {
  await folder.write("stale.json", exportStack(stackOf("acme/web/prod", "9"), "2026-10-01T00:00:00Z"));
  const args = ["tokens", "revoke", "--id", "9", "--state", "acme/web/prod=stale.json", "--yes"];
  const { code, deletes, stderr } = await folder.runBeside({ stacks }, ["0", "9"], args);
  expect([code, deletes, stderr]).toEqual([2, [], expect.stringContaining("in stale.json")]);
});

test("the URL identifies a stack that a service lists by a short name", async () => {
  const list = [{ name: "prod", url: "https://app.pulumi.example.com/acme/web/prod" }];
  const { stdout } = await audit({ stacks: [prod], list }, "--all-stacks");
  expect(JSON.parse(stdout).coverage.stacks).toMatchObject([{ organization: "acme", project: "web", stack: "prod" }]);
});

test("a stack that was imported from another one with --force is audited by the name of its export", async () => {
  const { stdout } = await folder.runBeside(
    { stacks: [{ ...prod, name: "acme/web/copy", exported: "acme/web/prod" }] },
    ["0"],
    ["audit", "--all-stacks", "--output", "json"],
  );
  const { coverage, summary } = JSON.parse(stdout);
  expect(coverage.stacks).toMatchObject([{ stack: "copy", project: "web", tokens: 1 }]);
  expect(summary).toMatchObject({ live: 1, declared: 1 });
});

test("the password of a backend is in no report", async () => {
  const backend = "postgres://pulumi:canary@db.example.com/states?sslmode=canary";
  const stack = { ...prod, name: "organization/web/prod" };
  const { stdout, stderr } = await audit({ stacks: [stack], backend }, "--all-stacks");
  expect(JSON.parse(stdout).coverage.stacks).toMatchObject([{ backend: "postgres://db.example.com/states" }]);
  expect(stdout + stderr).not.toContain("canary");
});

/** Exports a stack with a program in the place of the Pulumi CLI. */
const exportWith = async (script: string, timeLimit?: number) => {
  await folder.write("bin/pulumi", `#!/bin/sh\n${script}\n`, 0o755);
  const env = { PATH: `${folder.path}/bin:${process.env.PATH}` };
  return runPulumi(["stack", "export"], "stack prod", { env }, undefined, timeLimit);
};

test("a CLI that does not end is stopped, and the error names the limit and what to do", async () => {
  await expect(exportWith("exec sleep 600", 500)).rejects.toThrow(
    /^stack prod: the Pulumi CLI did not finish within 0\.5 seconds and was stopped: run "pulumi stack export" .*use --state/,
  );
});

test("a CLI that a signal ends is named with the signal", async () => {
  await expect(exportWith("kill -KILL $$")).rejects.toThrow("stack prod: pulumi stack export failed: ended by SIGKILL");
});
