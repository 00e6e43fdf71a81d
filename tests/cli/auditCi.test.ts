import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { credential, useAuditFolder } from "../support/auditFolder";
import { start } from "../support/command";
import { CHECKOUT } from "../support/program";
import { type Behaviour, json, startService } from "../support/service";
import { exportOf } from "../support/states";

const live = [{ id: "t1", name: "by hand", expiresAt: "2999-01-01T00:00:00Z" }];
const manifest = JSON.parse(readFileSync(path.join(CHECKOUT, "package.json"), "utf8"));

const folder = useAuditFolder();
beforeEach(async () => {
  await folder.write("a state.json", exportOf({}));
  await folder.write("state.json", exportOf({ stack: "dev" }));
  // Stands for npm, which notes what it is asked, and for the package that it installs.
  await folder.write("bin/npm", `#!/bin/sh\necho "$*" >>"${folder.path}/asked"\n`, 0o755);
  const command = `#!/bin/sh\nexec "${process.execPath}" "${CHECKOUT}/dist/cli/main.js" "$@"\n`;
  await folder.write("node_modules/.bin/pulumi-event-datasets", command, 0o755);
});

async function run(shell: readonly string[], behaviour: Behaviour, more: Record<string, string>) {
  await using service = await startService(behaviour);
  const [command = "", ...args] = shell;
  const env = {
    PATH: `${folder.path}/bin:${process.env.PATH}`,
    EVENT_DATASETS_BASE_URL: service.url,
    EVENT_DATASETS_ACCESS_TOKEN: credential,
    GITHUB_OUTPUT: path.join(folder.path, "output"),
    GITHUB_STEP_SUMMARY: path.join(folder.path, "summary"),
    ...more,
  };
  return await (await start(command, args, { cwd: folder.path, env })).done;
}

const action = ["bash", path.join(CHECKOUT, "audit/templates/audit.sh")];

test("the action passes every input to its script in the environment, and none becomes part of the script", async () => {
  const yaml = await readFile(path.join(CHECKOUT, "action.yml"), "utf8");
  const [head = "", runs = ""] = yaml.split("\nruns:\n");
  const inputs = [...(head.split("\noutputs:\n")[0] ?? "").matchAll(/^ {2}([a-z-]+):$/gm)].map(([, name]) => name);
  expect(inputs).toHaveLength(8);
  for (const input of inputs) {
    const variable = `AUDIT_${String(input).toUpperCase().replaceAll("-", "_")}`;
    expect(runs).toContain(`        ${variable}: \${{ inputs.${input} }}\n`);
    expect(await readFile(path.join(CHECKOUT, "audit/templates/audit.sh"), "utf8")).toContain(`\${${variable}:-`);
  }
  expect(/^ {6}run: (.*)$/m.exec(runs)?.[1]).not.toContain("${{");
});

test.each<[string, Behaviour, number, string]>([
  ["passed", json(200, []), 0, "policy: built in\n"],
  ["failed", json(200, live), 1, "1 ERROR\n"],
  ["unknown", json(403, {}), 2, "::error title=Audit of API tokens::could not check: GET /v2/tokens: 403"],
])("the action's script tells the result %s, and ends as the command does", async (result, behaviour, code, shown) => {
  const ended = await run(action, behaviour, {
    AUDIT_STATES: "  a state.json\n\nstate.json\n",
    AUDIT_OUTPUTS: "sarif=an audit.sarif\njson=audit.json",
  });
  expect(ended.code).toBe(code);
  expect(ended.stdout.startsWith(shown)).toBe(true);
  expect(await folder.read("output")).toBe(`result=${result}\n`);
  expect(await folder.read("summary")).toContain(code === 2 ? "no result: `GET /v2/tokens: 403" : "## API tokens: ");
  if (code === 2) return;
  expect(JSON.parse(await folder.read("audit.json")).sources).toEqual(["a state.json", "state.json"]);
  expect(JSON.parse(await folder.read("an audit.sarif")).version).toBe("2.1.0");
});

test.each(["passed", "failed"])(
  "a command that dies before it audits has no result, although it ends as one that %s",
  async (ending) => {
    // An exit code is no verdict: Node.js ends with 1 if it cannot load this module, and the second module ends it with 0.
    const required = await folder.write("ends.js", `process.exit(${ending === "passed" ? 0 : 1})`);
    for (const module of ["./missing.js", required]) {
      const { code, stdout } = await run(action, json(200, []), {
        AUDIT_STATES: "state.json",
        NODE_OPTIONS: `--require=${module}`,
      });
      const reason = "it ended before it had written its report: see the log of this step";
      expect([code, stdout]).toEqual([2, expect.stringContaining(`could not check: ${reason}\n`)]);
      expect(await folder.read("output")).toMatch(/^(result=unknown\n)+$/);
      expect(await folder.read("summary")).toContain(`The audit has no result: \`${reason}\`.`);
    }
  },
);

test("a reason stays one line of the log and text in the summary, whatever is in it", async () => {
  const { stdout } = await run(action, json(200, []), { AUDIT_STATES: "a%0A`b`<i>.json" });
  expect(stdout).toBe(
    "::error title=Audit of API tokens::could not check: a%250A`b`<i>.json: cannot be read (ENOENT)\n",
  );
  expect(await folder.read("summary")).toContain("`a%0A'b'<i>.json: cannot be read (ENOENT)`.");
});

test.each([
  [{ AUDIT_ALL_STACKS: "True" }, "the input all-stacks must be true or false"],
  [{ AUDIT_CWD: "none" }, "the input cwd is not a folder"],
])(
  "an input %j that means nothing is an error, and the summary says that the audit could not check",
  async (env, reason) => {
    const { code, stdout } = await run(action, json(200, []), env);
    expect([code, stdout]).toEqual([2, `::error title=Audit of API tokens::could not check: ${reason}\n`]);
    expect(await folder.read("summary")).toBe(
      `## API tokens: could not check\n\nThe audit has no result: \`${reason}\`.\n`,
    );
    expect(await folder.read("output")).toBe("result=unknown\n");
  },
);

test("the action runs the code beside it, and never asks a registry; the folder of the project is an input", async () => {
  await folder.write("in #fra?/state.json", exportOf({}));
  await folder.write("in #fra?/Pulumi.yaml", "name: web\n");
  await folder.write(".git/HEAD", "");
  const { stdout } = await run(action, json(200, live), {
    AUDIT_CWD: "in #fra?",
    AUDIT_STATES: "state.json",
    AUDIT_OUTPUTS: "sarif=audit.sarif",
  });
  // By its path from the root of the repository.
  expect(JSON.stringify(JSON.parse(await folder.read("in #fra?/audit.sarif")))).toContain(
    '"uri":"in%20%23fra%3F/Pulumi.yaml"',
  );
  expect(stdout).toContain("\n::error title=Audit of API tokens::failed: see the summary of the step\n");
  await expect(folder.read("asked")).rejects.toThrow("ENOENT");
});

test("no input can become a command, in a list or in a name", async () => {
  const evil = `x; touch "${folder.path}/evil"; $(touch "${folder.path}/evil") \`touch evil\``;
  const { code, stderr } = await run(action, json(200, []), { AUDIT_STATES: evil, AUDIT_POLICY: evil });
  expect(code).toBe(2);
  expect(stderr).toContain("cannot be read (ENOENT)");
  await expect(folder.read("evil")).rejects.toThrow("ENOENT");
});

test("the GitLab job writes the reports that GitLab shows, and exits with the code of the command", async () => {
  const yaml = await readFile(path.join(CHECKOUT, "audit/templates/audit.gitlab-ci.yml"), "utf8");
  const script = /^ {4}- \|\n((?: {6}.*\n)+)/m.exec(yaml)?.[1]?.replace(/^ {6}/gm, "") ?? "";
  const runWith = (states: string, options: string) => {
    const variables = { AUDIT_STATES: states, AUDIT_STACKS: "", AUDIT_OPTIONS: options };
    return run(["sh", "-e", "-c", script], json(200, live), variables);
  };
  const missing = await runWith("state.json *", "--fail-on none");
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("*: cannot be read (ENOENT)")]);
  const { code, stdout } = await runWith("state.json", "--fail-on none");
  expect([code, stdout]).toEqual([0, expect.stringContaining("passed: 1 error")]);
  for (const [, file = ""] of yaml.matchAll(/junit: (\S+)/g)) expect(await folder.read(file)).toContain("undeclared");
  expect(await folder.read("audit.md")).toContain("## API tokens: passed");
  expect(await runWith("state.json", "")).toMatchObject({ code: 1 });
  // This job has credentials: only the code of the lockfile runs, and no script of a package.
  expect((await folder.read("asked")).split("\n")).toEqual([...Array(3).fill("ci --ignore-scripts"), ""]);
  await folder.write("node_modules/.bin/pulumi-event-datasets", "#!/bin/sh\nexit 1\n", 0o755);
  expect(await runWith("state.json", "")).toMatchObject({ code: 2 });
});

test("the GitLab example includes the template of this version by its hash", async () => {
  const template = await readFile(path.join(CHECKOUT, "audit/templates/audit.gitlab-ci.yml"));
  const [include] = parse(await readFile(path.join(CHECKOUT, "examples/audit/.gitlab-ci.yml"), "utf8")).include;
  expect(include.remote).toContain(`/pulumi-event-datasets@${manifest.version}/audit/templates/audit.gitlab-ci.yml`);
  expect(include.integrity).toBe(`sha256-${createHash("sha256").update(template).digest("base64")}`);
});

describe("the workflow of the example", () => {
  const file = path.join(CHECKOUT, "examples/audit/.github/workflows/audit.yml");
  const { permissions, jobs } = parse(readFileSync(file, "utf8"));
  const steps: readonly { uses?: string; run?: string; if?: string; with?: object }[] = jobs.audit.steps;

  test("has the rights that its steps need, leaves no credential in the checkout, and ends", () => {
    expect(permissions).toEqual({
      contents: "read",
      actions: "read",
      "pull-requests": "write",
      "security-events": "write",
    });
    expect(jobs.audit["timeout-minutes"]).toBeGreaterThan(0);
    expect(steps[0]).toMatchObject({ with: { "persist-credentials": false } });
  });

  const comment = steps.find((step) => step.run?.includes("gh "));
  const marker = "<!-- event-datasets-audit -->";
  // Stands for GitHub: lists these comments as the filter prints them, and notes every other request with its body.
  const gh = (found: string) => `#!/bin/sh
case "$*" in
  *--paginate*) echo "$*" >>listed; printf '${found}' ;;
  *) echo "$*" >>asked; cat comment.md >body ;;
esac
`;

  test.each([
    ["failed", "", "pr comment 7 --body-file comment.md\n"],
    [
      "failed",
      "41\\n42\\n",
      "api --silent --method PATCH repos/acme/web/issues/comments/41 --field body=@comment.md\n",
    ],
    ["passed", "41\\n", "api --silent --method PATCH repos/acme/web/issues/comments/41 --field body=@comment.md\n"],
    ["passed", "", undefined],
  ])(
    "after an audit that %s, with the comments %j, it writes its own comment and no other",
    async (RESULT, found, asked) => {
      await folder.write("bin/gh", gh(found), 0o755);
      await folder.write("audit.md", "## API tokens\n");
      const env = { RESULT, NUMBER: "7", GITHUB_REPOSITORY: "acme/web" };
      expect(await run(["bash", "-e", "-c", comment?.run ?? ""], json(200, []), env)).toMatchObject({ code: 0 });
      expect(await folder.read("asked").catch(() => undefined)).toBe(asked);
      if (asked !== undefined) expect(await folder.read("body")).toBe(`${marker}\n## API tokens\n`);
      expect(await folder.read("listed")).toContain("repos/acme/web/issues/7/comments");
      expect(await folder.read("listed")).toContain(`startswith("${marker}")`);
    },
  );
});
