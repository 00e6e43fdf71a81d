import { cp, mkdir, truncate } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AuditFolder, credential } from "../support/auditFolder";
import { cli } from "../support/cli";
import { start } from "../support/command";
import { json, startService } from "../support/service";
import { exportOf } from "../support/states";

// The real Pulumi CLI on a backend of its own: of what it prints for a damaged one nothing but the CLI knows.

const expiresAt = "2999-01-01T00:00:00Z";
const stacks = ["web/dev", "web/prod", "infra/prod"] as const;

let folder: AuditFolder;
let env: Record<string, string>;

const pulumi = async (cwd: string, ...args: string[]) =>
  (await start("pulumi", [...args, "--non-interactive"], { cwd, env })).done;

const fileOf = (backend: string, stack: string) => path.join(folder.path, backend, ".pulumi/stacks", `${stack}.json`);

beforeAll(async () => {
  folder = await AuditFolder.create();
  for (const name of ["web", "infra", "backend", "home"]) await mkdir(path.join(folder.path, name));
  env = {
    PATH: String(process.env.PATH),
    HOME: path.join(folder.path, "home"),
    PULUMI_HOME: path.join(folder.path, "home"),
    PULUMI_BACKEND_URL: `file://${folder.path}/backend`,
    PULUMI_CONFIG_PASSPHRASE: "x",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  for (const one of stacks) {
    const [project = "", stack = ""] = one.split("/");
    await folder.write(`${project}/Pulumi.yaml`, `name: ${project}\nruntime: nodejs\n`);
    expect(await pulumi(path.join(folder.path, project), "stack", "init", stack)).toMatchObject({ code: 0 });
    const token = { id: one, name: one, inputs: { expiresAt }, outputs: { baseUrl: undefined } };
    const { deployment } = JSON.parse(
      JSON.stringify(exportOf({ stack, tokens: [token] })).replaceAll("::web::", `::${project}::`),
    );
    const checkpoint = { stack: `organization/${one}`, latest: deployment };
    await folder.write(`backend/.pulumi/stacks/${one}.json`, { version: 3, checkpoint });
  }
});

afterAll(() => folder[Symbol.asyncDispose]());

/** Runs a command in the folder of a project. */
const runIn = (project: string, args: readonly string[], service: { readonly url: string }, env: NodeJS.ProcessEnv) =>
  cli(args, {
    cwd: path.join(folder.path, project),
    env: { ...env, EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: credential },
  });

/** Audits a copy of the backend that a test damages; `audit` with the present stacks finds nothing. */
async function audit(damage: (backend: string) => Promise<unknown>, ...args: string[]) {
  const backend = `damaged-${damaged}`;
  damaged += 1;
  await cp(path.join(folder.path, "backend"), path.join(folder.path, backend), { recursive: true });
  await damage(backend);
  await using service = await startService(
    json(
      200,
      stacks.map((id) => ({ id, name: id, expiresAt })),
    ),
  );
  const address = `file://${folder.path}/${backend}`;
  const command = ["audit", "--all-stacks", "--output", "json", ...args];
  return await runIn("web", command, service, { ...env, PULUMI_BACKEND_URL: address });
}
let damaged = 0;

test("in a project's folder the audit reads every stack by its full name", async () => {
  const { code, stdout, stderr } = await audit(async () => undefined);
  expect([code, stderr]).toEqual([0, expect.stringContaining("exporting 3 stacks")]);
  const { coverage, summary } = JSON.parse(stdout);
  expect(summary).toMatchObject({ live: 3, declared: 3 });
  expect(coverage.stacks.map(({ source }: { source: string }) => source).sort()).toEqual(
    stacks.map((one) => `stack organization/${one}`).sort(),
  );
  expect(coverage.stacks[0]).toMatchObject({
    backend: expect.stringMatching(/^file:\/\/.*\/damaged-0$/),
    organization: "organization",
    origin: "export",
    time: "2026-11-21T12:00:00Z",
  });
});

test("a backend that Pulumi.yaml names by a relative path is listed like any other", async () => {
  await mkdir(path.join(folder.path, "own"));
  await folder.write("own/Pulumi.yaml", "name: web\nruntime: nodejs\nbackend:\n  url: file://../backend\n");
  const { PULUMI_BACKEND_URL: _, ...rest } = env;
  await using service = await startService(
    json(
      200,
      stacks.map((id) => ({ id, name: id, expiresAt })),
    ),
  );
  const { code, stdout } = await runIn("own", ["audit", "--all-stacks", "--output", "json"], service, rest);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).summary).toMatchObject({ live: 3, declared: 3 });
});

test.each<[string, (backend: string) => Promise<unknown>]>([
  ["a checkpoint that is cut off", (backend) => truncate(fileOf(backend, "web/dev"), 100)],
  ["an empty checkpoint", (backend) => truncate(fileOf(backend, "web/dev"), 0)],
  ["an empty file of attributes", (backend) => truncate(`${fileOf(backend, "web/dev")}.attrs`, 0)],
])("with %s, an audit of all stacks could not tell", async (_, damage) => {
  const { code, stdout, stderr } = await audit(damage);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/: pulumi stack (?:ls|export) failed: /);
});

test("a backend that cannot be listed is not mistaken for an empty one", async () => {
  const { code, stderr } = await audit((backend) => folder.write(`${backend}/.pulumi/meta.yaml`, "version: 99\n"));
  expect([code, stderr]).toEqual([2, expect.stringContaining("the backend: pulumi whoami")]);
});
