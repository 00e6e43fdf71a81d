import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { AuditFolder } from "../support/auditFolder";
import { json, type ScriptedService, startService } from "../support/service";
import { exportOf, generatedFrom } from "../support/states";

let folder: AuditFolder;

beforeEach(async () => {
  folder = await AuditFolder.create();
  const tokens = [
    { name: "a", id: "t1" },
    { name: "b", id: "t2" },
  ];
  const pending = [{ name: "c-0a1b2c3", inputs: generatedFrom("c") }];
  await folder.write("state.json", exportOf({ tokens, pending }));
});

afterEach(() => folder[Symbol.asyncDispose]());

const recover = (service: ScriptedService, args: readonly string[], env: Record<string, string> = {}) =>
  folder.run(["recover", ...args], service, env);

/** The list shows t1 and the token of the create that never finished; t2 is gone. */
const afterKill = () =>
  startService(
    json(200, [
      { id: "t1", name: "a" },
      { id: "t9", name: "c-0a1b2c3" },
    ]),
    json(404, {}),
  );

/** The commands that were printed: the indented lines that are no comments, taken apart at "&&". */
const commandsIn = (stdout: string): string[] =>
  [...stdout.matchAll(/^ {2}(?!#)(.*)$/gm)].flatMap(([, line = ""]) => line.split(" && "));

test("every command that is printed works on the folder, the state and the backend of this run", async () => {
  await using service = await afterKill();
  const env = { EVENT_DATASETS_PROFILE: "extended" };
  await mkdir(path.join(folder.path, "it's infra"));
  const options = ["--cwd", "it's infra", "--state", "state.json", "--backend", "s3://states"];
  const { stdout } = await recover(service, options, env);
  const commands = commandsIn(stdout);
  // The stack is the state's own: this folder may have another one selected.
  const own = / --stack prod --cwd 'it'\\''s infra'/;
  expect(commands.map((command) => command.replace(own, ""))).toEqual([
    "PULUMI_BACKEND_URL=s3://states npx event-datasets audit --state state.json",
    "PULUMI_BACKEND_URL=s3://states npx event-datasets tokens revoke --id t9 --state state.json",
    "PULUMI_BACKEND_URL=s3://states pulumi refresh --yes --clear-pending-creates",
    "PULUMI_BACKEND_URL=s3://states pulumi refresh --yes",
    "PULUMI_BACKEND_URL=s3://states pulumi refresh",
    "PULUMI_BACKEND_URL=s3://states pulumi up",
    "PULUMI_BACKEND_URL=s3://states npx event-datasets audit --state state.json",
  ]);
  for (const command of commands) expect(command).toMatch(own);
});

test("a wrong base URL is named, and nothing is recommended that would act on it", async () => {
  await using service = await startService(json(200, [{ id: "other", name: "other" }]));
  const { code, stdout } = await recover(service, ["--state", "state.json", "--stack", "prod"]);
  expect(code).toBe(1);
  expect(stdout).toContain(
    [
      "2 recorded tokens of https://api.example.com: nothing shows that",
      `${service.url} with the present credential is the same account\n  # set EVENT_DATASETS_BASE_URL to`,
      "https://api.example.com, with a credential of that account; do not refresh before\n",
    ].join(" "),
  );
  expect(commandsIn(stdout)).toEqual(["npx event-datasets recover --stack prod --state state.json"]);
  expect(service.calls).toEqual(["GET /v2/tokens"]);
});

test("tokens of a second account are named, and the others are diagnosed as usual", async () => {
  const record = { baseUrl: "https://eu.example.com" };
  const tokens = [
    { name: "a", id: "t1" },
    { name: "eu", id: "e1", record },
  ];
  await folder.write("state.json", exportOf({ tokens }));
  await using service = await startService(json(200, [{ id: "t1", name: "a" }]));
  const { code, stdout } = await recover(service, ["--state", "state.json"]);
  expect(code).toBe(1);
  expect(stdout).toContain("1 recorded token of https://eu.example.com: nothing shows that");
  expect(stdout).toContain("  # to diagnose them, set EVENT_DATASETS_BASE_URL to https://eu.example.com, with");
  expect(commandsIn(stdout)).toContain("pulumi up --stack prod");
  expect(service.calls).toEqual(["GET /v2/tokens"]);
});

test("a recorded address that only changed its name is no wrong one: a token that is found there proves it", async () => {
  await using service = await afterKill();
  const { stdout } = await recover(service, ["--state", "state.json"]);
  expect(stdout).toContain("recorded with id t2, which the service does not have");
  expect(stdout).not.toContain("nothing shows that");
});

test("a long path is printed as a whole, and one with invisible characters so that a shell reads it", async () => {
  await using service = await startService(json(200, []));
  const parts = ["x".repeat(200), "y".repeat(200), "it's \u202e\u001b[2J", "z".repeat(150)];
  const stacks = path.join("b", ...parts, ".pulumi/stacks/web");
  await mkdir(path.join(folder.path, stacks), { recursive: true });
  const attributes = await folder.write(path.join(stacks, "prod.json.attrs"), "");
  const backend = `file://${path.join(folder.path, "b", ...parts)}`;
  const { stdout } = await recover(service, ["--backend", backend, "--stack", "prod"]);
  const [command = ""] = commandsIn(stdout);
  const { stdout: named } = await promisify(execFile)("bash", ["-c", command.replace(/^rm/, "printf %s")]);
  expect(named).toBe(attributes);
});
