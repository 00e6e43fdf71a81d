import { mkdir } from "node:fs/promises";
import { userInfo } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { AuditFolder } from "../support/auditFolder";
import { fakePulumi, stackOf } from "../support/fakePulumi";
import { json, startService } from "../support/service";

let folder: AuditFolder;
let backend: string;

beforeEach(async () => {
  folder = await AuditFolder.create();
  backend = `file://${folder.path}/backend`;
  await mkdir(path.join(folder.path, "infra"));
  await mkdir(path.join(folder.path, "backend/.pulumi"), { recursive: true });
});

afterEach(() => folder[Symbol.asyncDispose]());

test.each([["file://../backend"], [undefined]])(
  "the backend of --backend %s has the exported state, too",
  async (address) => {
    await using service = await startService(json(200, [{ id: "t1", name: "tt1" }]));
    const env = await fakePulumi(folder, { stacks: [stackOf("organization/web/prod", "t1")] });
    const args = ["--backend", address ?? backend, "--cwd", "infra", "--stack", "organization/web/prod"];
    await folder.run(["recover", ...args], service, { ...env, PULUMI_BACKEND_URL: "file:///elsewhere" });
    expect(await folder.read("reached")).toBe(`stack export in ${backend}\n`);
  },
);

test("the backend is the one that the Pulumi CLI is logged in to, unless an option or the environment names another", async () => {
  await using service = await startService(json(200, []));
  await folder.write("backend/.pulumi/stacks/web/prod.json", '{"version":');
  const env = await fakePulumi(folder, { stacks: [], backend });
  const { code, stdout } = await folder.run(["recover", "--stack", "prod"], service, env);
  expect(code).toBe(1);
  expect(stdout).toContain("prod.json is truncated");
  expect(await folder.read("asked")).toMatch(/^whoami /);
});

test.each<[string, Record<string, string>, string]>([
  [
    "cannot be found",
    { PATH: "/none" },
    "the backend's files were not inspected: the backend: the Pulumi CLI is not on",
  ],
  [
    "is a bucket",
    { PULUMI_BACKEND_URL: "s3://states" },
    "s3://states was not inspected, because it is not on this disk: make sure that no update of the stack is running",
  ],
  [
    "is a service",
    { PULUMI_BACKEND_URL: "https://pulumi.example.com" },
    "https://pulumi.example.com was not inspected, because it is not on this disk: make sure that no update of the stack",
  ],
])("the files of a backend that %s are reported as not inspected", async (_, env, reason) => {
  await using service = await startService(json(200, []));
  const { stderr } = await folder.run(["recover", "--state", "state.json"], service, env);
  expect(stderr).toContain(reason);
});

test.each(["postgres://pulumi:S3cr3t@db/pulumi", "postgres://db/pulumi?sslmode=require&password=S3cr3t"])(
  "an address with a password is refused, because the printed commands would repeat it: %s",
  async (address) => {
    await using service = await startService(json(200, []));
    const args = ["recover", "--backend", address, "--state", "state.json"];
    const { code, stdout, stderr } = await folder.run(args, service);
    expect(code).toBe(2);
    expect(stderr).toContain("--backend: has a user name or a password");
    expect(stdout + stderr).not.toContain("S3cr3t");
  },
);

test("a backend in the home is told apart from the other files of the Pulumi CLI", async () => {
  await using service = await startService(json(200, []));
  await folder.write("backend/.pulumi/plugins/resource-x/node_modules/y/package.json.attrs", "");
  const { code, stdout } = await folder.run(["recover", "--backend", backend, "--state", "state.json"], service);
  expect([code, stdout.split("\n")[0]]).toEqual([0, "no problems found"]);
});

test("a backend without a folder of states is an error", async () => {
  await using service = await startService(json(200, []));
  const args = ["recover", "--backend", `file://${folder.path}/infra`, "--state", "state.json"];
  const { code, stderr } = await folder.run(args, service);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`${folder.path}/infra: is not a backend on disk (ENOENT)`),
  ]);
});

test.each([
  ["file://../backend", ["--cwd", "infra"]],
  // Not relative to HOME, which a CI system may set to another folder.
  ["file://~/HERE/backend", []],
])("the backend %s is found as the Pulumi CLI finds it", async (pattern, more) => {
  await using service = await startService(json(200, []));
  await folder.write("infra/Pulumi.yaml", "name: infra\n");
  await folder.write("backend/.pulumi/stacks/infra/prod.json", '{"version":');
  const address = pattern.replace("HERE", path.relative(userInfo().homedir, folder.path));
  const args = ["recover", "--backend", address, "--stack", "prod", ...more];
  const { stdout } = await folder.run(args, service, { HOME: folder.path });
  expect(stdout).toContain("prod.json is truncated");
});
