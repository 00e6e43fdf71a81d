import { cp, mkdir, rm, truncate } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { AuditFolder, credential, exportStack } from "../support/auditFolder";
import { cli } from "../support/cli";
import { start } from "../support/command";
import { json, startService } from "../support/service";
import { openForTests } from "../support/suite";

// The real Pulumi CLI on a backend of its own: of what it prints for a damaged one nothing but the CLI knows.

const expiresAt = "2999-01-01T00:00:00Z";
const stacks = ["web/dev", "web/prod", "infra/prod"] as const;

const folder = openForTests(AuditFolder.create);
let env: Record<string, string>;

const pulumi = async (cwd: string, ...args: string[]) =>
  (await start("pulumi", [...args, "--non-interactive"], { cwd, env })).done;

const fileOf = (backend: string, stack: string) => path.join(folder.path, backend, ".pulumi/stacks", `${stack}.json`);

beforeAll(async () => {
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
    const name = `organization/${one}`;
    const checkpoint = { stack: name, latest: exportStack({ name, tokens: [token] }).deployment };
    await folder.write(`backend/.pulumi/stacks/${one}.json`, { version: 3, checkpoint });
  }
});

/** Audits all stacks in the folder of a project; nothing is wrong with them. */
async function audit(project: string, env: Readonly<Record<string, string>>) {
  const live = stacks.map((id) => ({ id, name: id, expiresAt }));
  await using service = await startService(json(200, live));
  const connection = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: credential };
  const cwd = path.join(folder.path, project);
  return await cli(["audit", "--all-stacks", "--output", "json"], { cwd, env: { ...env, ...connection } });
}

/** Audits a copy of the backend that a test damages. */
async function auditDamaged(damage: (backend: string) => Promise<unknown>) {
  await cp(path.join(folder.path, "backend"), path.join(folder.path, "damaged"), { recursive: true });
  try {
    await damage("damaged");
    return await audit("web", { ...env, PULUMI_BACKEND_URL: `file://${folder.path}/damaged` });
  } finally {
    await rm(path.join(folder.path, "damaged"), { recursive: true });
  }
}

test("in a project's folder the audit reads every stack by its full name, also of a backend that Pulumi.yaml names by a relative path", async () => {
  await folder.write("own/Pulumi.yaml", "name: web\nruntime: nodejs\nbackend:\n  url: file://../backend\n");
  const { PULUMI_BACKEND_URL: _, ...rest } = env;
  for (const { code, stdout, stderr } of [await audit("web", env), await audit("own", rest)]) {
    expect([code, stderr]).toEqual([0, expect.stringContaining("exporting 3 stacks")]);
    const { coverage, summary } = JSON.parse(stdout);
    expect(summary).toMatchObject({ live: 3, declared: 3 });
    const sources = coverage.stacks.map(({ source }: { source: string }) => source);
    expect(sources.sort()).toEqual(stacks.map((one) => `stack organization/${one}`).sort());
    expect(coverage.stacks[0]).toMatchObject({ organization: "organization", origin: "export" });
  }
});

test.each<[string, (backend: string) => Promise<unknown>]>([
  ["a checkpoint that is cut off", (backend) => truncate(fileOf(backend, "web/dev"), 100)],
  ["an empty checkpoint", (backend) => truncate(fileOf(backend, "web/dev"), 0)],
  ["an empty file of attributes", (backend) => truncate(`${fileOf(backend, "web/dev")}.attrs`, 0)],
])("with %s, an audit of all stacks could not check", async (_, damage) => {
  const { code, stdout, stderr } = await auditDamaged(damage);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/: pulumi stack (?:ls|export) failed: /);
});

test("a backend that cannot be listed is not mistaken for an empty one", async () => {
  const { code, stderr } = await auditDamaged((backend) =>
    folder.write(`${backend}/.pulumi/meta.yaml`, "version: 99\n"),
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining("the backend: pulumi whoami")]);
});
