import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type CommandResult, start } from "../support/command";
import { CHECKOUT } from "../support/program";
import { type Behaviour, json, startService } from "../support/service";
import { exportOf } from "../support/states";

const live = [{ id: "t1", name: "by hand", expiresAt: "2999-01-01T00:00:00Z" }];
const manifest = JSON.parse(readFileSync(path.join(CHECKOUT, "package.json"), "utf8"));

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "audit ci-"));
  await writeFile(path.join(folder, "a state.json"), JSON.stringify(exportOf({})));
  await writeFile(path.join(folder, "state.json"), JSON.stringify(exportOf({ stack: "dev" })));
  // Stands for the registry: notes what was asked of it and runs the command of this checkout.
  const npx = `#!/bin/sh
while [ "$1" != pulumi-event-datasets ]; do echo "$1" >>"${folder}/asked"; shift; done
shift
exec "${process.execPath}" "${CHECKOUT}/dist/cli/main.js" "$@"
`;
  await mkdir(path.join(folder, "bin"));
  await writeFile(path.join(folder, "bin/npx"), npx, { mode: 0o755 });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const read = (name: string) => readFile(path.join(folder, name), "utf8");

async function run(
  shell: readonly string[],
  behaviour: Behaviour,
  env: Record<string, string>,
): Promise<CommandResult> {
  await using service = await startService(behaviour);
  const [command = "", ...args] = shell;
  const settings = {
    cwd: folder,
    env: {
      PATH: `${folder}/bin:${process.env.PATH}`,
      EVENT_DATASETS_BASE_URL: service.url,
      EVENT_DATASETS_ACCESS_TOKEN: "xaat-canary-1",
      ...env,
    },
  };
  return await (await start(command, args, settings)).done;
}

const action = ["bash", path.join(CHECKOUT, "audit/templates/audit.sh")];

test("the action passes every input to its script in the environment, and none becomes part of the script", async () => {
  const yaml = await readFile(path.join(CHECKOUT, "action.yml"), "utf8");
  const [head = "", runs = ""] = yaml.split("\nruns:\n");
  const inputs = [...(head.split("\noutputs:\n")[0] ?? "").matchAll(/^ {2}([a-z-]+):$/gm)].map(([, name]) => name);
  expect(inputs).toHaveLength(14);
  for (const input of inputs) {
    const variable = `AUDIT_${String(input).toUpperCase().replaceAll("-", "_")}`;
    expect(runs).toContain(`        ${variable}: \${{ inputs.${input} }}\n`);
    expect(await readFile(path.join(CHECKOUT, "audit/templates/audit.sh"), "utf8")).toContain(`\${${variable}:-`);
  }
  expect(/^ {6}run: (.*)$/m.exec(runs)?.[1]).not.toContain("${{");
});

test.each<[string, Behaviour, number, string]>([
  ["passed", json(200, []), 0, "audit clean"],
  ["failed", json(200, live), 1, "::error file=Pulumi.yaml"],
  ["unknown", json(403, {}), 2, ""],
])("the action's script tells the result %s, and ends as the command does", async (result, behaviour, code, shown) => {
  const files = { GITHUB_OUTPUT: path.join(folder, "output"), GITHUB_STEP_SUMMARY: path.join(folder, "summary") };
  const ended = await run(action, behaviour, {
    ...files,
    GITHUB_ACTION_PATH: CHECKOUT,
    AUDIT_STATES: "  a state.json\n\nstate.json\n",
    AUDIT_OUTPUTS: "sarif=an audit.sarif\njson=audit.json",
    AUDIT_SHOW: "github",
  });
  expect(ended.code).toBe(code);
  expect(ended.stdout.startsWith(shown)).toBe(true);
  expect(await read("output")).toBe(`result=${result}\n`);
  // Once for its version, to tell a command that cannot be had from findings, and once for the audit.
  expect(await read("asked")).toBe(`--yes\n--package\npulumi-event-datasets@${manifest.version}\n`.repeat(2));
  if (code === 2) return;
  expect(JSON.parse(await read("audit.json")).sources).toEqual(["a state.json", "state.json"]);
  expect(JSON.parse(await read("an audit.sarif")).version).toBe("2.1.0");
  expect(await read("summary")).toContain("## API tokens: ");
});

test("the action updates its comment on the pull request, and exits with the code of the audit", async () => {
  await using forge = await startService(json(200, []), json(201, {}));
  const pull = { GITHUB_REF: "refs/pull/7/merge", GITHUB_API_URL: forge.url, GITHUB_REPOSITORY: "acme/web" };
  const variables = { ...pull, AUDIT_COMMENT: "true", AUDIT_COMMENT_TOKEN: "t", AUDIT_STATES: "state.json" };
  expect((await run(action, json(200, live), { ...variables, AUDIT_VERSION: "1" })).code).toBe(1);
  expect(forge.calls.at(-1)).toBe("POST /repos/acme/web/issues/7/comments");
  expect(JSON.parse(forge.requests.at(-1)?.body ?? "").body).toContain("## API tokens: failed");
  await using closed = await startService(json(403, {}));
  const forked = { ...variables, GITHUB_API_URL: closed.url, AUDIT_VERSION: "1" };
  expect((await run(action, json(200, []), forked)).code).toBe(0);
  expect((await run(action, json(503, {}), forked)).code).toBe(2);
});

test("the action audits all stacks with the input all-stacks", async () => {
  const own = '#!/bin/sh\necho "own $*"\n';
  await mkdir(path.join(folder, "node_modules/.bin"), { recursive: true });
  await writeFile(path.join(folder, "node_modules/.bin/pulumi-event-datasets"), own, { mode: 0o755 });
  const { stdout } = await run(action, json(200, []), {
    AUDIT_ALL_STACKS: "true",
    AUDIT_PROJECT: "web",
    AUDIT_ORGANIZATION: "acme",
  });
  expect(stdout).toBe("own audit --all-stacks --project=web --organization=acme --output=table\n");
});

test("no input can become a command, in a list or in a name", async () => {
  const evil = `x; touch "${folder}/evil"; $(touch "${folder}/evil") \`touch evil\``;
  const { code, stderr } = await run(action, json(200, []), { AUDIT_STATES: evil, AUDIT_POLICY: evil });
  expect(code).toBe(2);
  expect(stderr).toContain("cannot be read (ENOENT)");
  await expect(read("evil")).rejects.toThrow("ENOENT");
});

test("the action prefers the project's own installation", async () => {
  await mkdir(path.join(folder, "infra/node_modules/.bin"), { recursive: true });
  const own = '#!/bin/sh\necho "own $*"\n';
  await writeFile(path.join(folder, "infra/node_modules/.bin/pulumi-event-datasets"), own, { mode: 0o755 });
  const { code, stdout } = await run(action, json(200, []), { AUDIT_CWD: "infra", AUDIT_STACKS: "acme/web/prod" });
  expect([code, stdout]).toEqual([0, "own audit --stack=acme/web/prod --cwd=infra --output=table\n"]);
});

test("the GitLab job writes the reports that GitLab shows, and exits with the code of the command", async () => {
  const yaml = await readFile(path.join(CHECKOUT, "audit/templates/audit.gitlab-ci.yml"), "utf8");
  const script = /^ {4}- \|\n((?: {6}.*\n)+)/m.exec(yaml)?.[1]?.replace(/^ {6}/gm, "") ?? "";
  expect(yaml).toContain(`AUDIT_VERSION: "${manifest.version}"`);
  const variables = {
    AUDIT_STATES: "state.json *",
    AUDIT_STACKS: "",
    AUDIT_OPTIONS: "--fail-on none",
    AUDIT_VERSION: "1",
  };
  const missing = await run(["sh", "-e", "-c", script], json(200, live), variables);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("*: cannot be read (ENOENT)")]);
  const { code, stdout } = await run(["sh", "-e", "-c", script], json(200, live), {
    ...variables,
    AUDIT_STATES: "state.json",
  });
  expect([code, stdout]).toEqual([0, expect.stringContaining("passed: 1 error")]);
  for (const [, file = ""] of yaml.matchAll(/(?:codequality|junit): (\S+)/g))
    expect(await read(file)).toContain("undeclared");
  expect(await read("audit.md")).toContain("## API tokens: passed");
  await using forge = await startService(json(200, []), json(201, {}));
  const pipeline = {
    CI_MERGE_REQUEST_IID: "7",
    CI_API_V4_URL: forge.url,
    CI_PROJECT_ID: "1",
    AUDIT_COMMENT_TOKEN: "t",
  };
  const strict = { ...variables, ...pipeline, AUDIT_STATES: "state.json", AUDIT_OPTIONS: "" };
  expect((await run(["sh", "-e", "-c", script], json(200, live), strict)).code).toBe(1);
  expect(forge.calls.at(-1)).toBe("POST /projects/1/merge_requests/7/notes");
});
