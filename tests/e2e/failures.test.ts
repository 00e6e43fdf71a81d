import { expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { bothForms, forms, inForm } from "../support/program";
import { findSecret } from "../support/secrets";

test("each unusable input fails the preview with its property, before any request, and a secret is not shown", async () => {
  const program = `const pulumi = require("@pulumi/pulumi");
const { ApiToken } = require("pulumi-event-datasets");
new ApiToken("ci", { expiresAt: pulumi.secret("canary-5d1f9a0b77c2"), orgCapabilities: { apiTokens: "read" } });
`;
  await using deployment = await createDeployment({ program: { "index.js": program } });
  const { stdout } = await deployment.workspace.preview({ expectFailure: true });
  for (const property of ["expiresAt", "orgCapabilities.apiTokens"])
    expect(stdout).toMatch(new RegExp(`has a problem: ${property} must be`));
  expect(await findSecret({ texts: { stdout } }, "canary-5d1f9a0b77c2")).toEqual([]);
  expect(deployment.service.calls).toEqual([]);
});

test("a failed lookup and a failed hook print their message alone, without a stack or the members of the error", async () => {
  const program = `import { ApiToken, getTokens, queryAplOutput } from "pulumi-event-datasets";
const ci = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] } });
export const status = queryAplOutput({ apl: "['nothing']" }, { dependsOn: ci }).status;
if (process.env.LOOK === "up") void getTokens();
`;
  await using deployment = await createDeployment({ program: { "index.ts": program } });
  const { workspace } = deployment;
  const expectMessageAlone = ({ stdout, stderr }: { stdout: string; stderr: string }, message: RegExp) => {
    expect(stdout).toMatch(message);
    expect(`${stdout}${stderr}`).not.toMatch(/^\s+at |mayBeProfile|outcome:|unhandled exception|node_modules/m);
  };
  const wrong = { env: { EVENT_DATASETS_ACCESS_TOKEN: "xaat-wrong" }, expectFailure: true };
  const looked = await workspace.preview({ ...wrong, env: { ...wrong.env, LOOK: "up" } });
  expectMessageAlone(looked, / error: GET \/v2\/tokens: 401: the service says .*is not valid/);
  expectMessageAlone(await workspace.up({ expectFailure: true }), / error: POST .*does the dataset exist/);
  expectMessageAlone(await workspace.refresh(wrong), /GET \/v2\/tokens.*: 401: .*is not valid/);
});

test("in the extended profile and both forms, a preview warns of a wrong access token and of no service", async () => {
  await using deployment = await createDeployment(
    inForm("both", {
      profile: "extended",
      program: {
        "index.ts": `${bothForms}
inBothForms((form, { ApiToken }) => new ApiToken(form, { orgCapabilities: { apiTokens: ["read"] } }));
`,
      },
    }),
  );
  const { workspace, service } = deployment;
  const wrong = { env: { EVENT_DATASETS_ACCESS_TOKEN: "xaat-canary-wrong-2" } };
  const nowhere = { env: { EVENT_DATASETS_BASE_URL: "http://127.0.0.1:1" } };
  const expectWarnings = async () => {
    const before = service.calls.length;
    const refused = await workspace.preview(wrong);
    // Each form runs in a process of its own.
    expect(service.calls.slice(before).filter(({ path }) => path === "/v2/tokens")).toHaveLength(2);
    expect(refused.stdout.match(/^ +warning: .* cannot be listed: .*ACCESS_TOKEN\) is not valid.*$/gm)).toHaveLength(2);
    const unreachable = await workspace.preview(nowhere);
    expect(unreachable.stdout.match(/^ +warning: .* cannot be listed: .* could not connect/gm)).toHaveLength(2);
  };
  await expectWarnings();
  await workspace.up();
  const { stdout } = await workspace.preview({ args: ["--expect-no-changes"] });
  expect(stdout).not.toContain("cannot be listed");
});

test("in both forms a token is tracked if the response to its create was lost, however much it declares, and the next update replaces it", async () => {
  const program = `${bothForms}
const datasets = Array.from({ length: 1_000 }, (_, n) => ["dataset-" + n, { query: ["read"] }]);
inBothForms((form, { ApiToken }) => new ApiToken(form, { datasetCapabilities: Object.fromEntries(datasets) }));
`;
  await using deployment = await createDeployment(inForm("both", { program: { "index.ts": program } }));
  const { workspace, service } = deployment;
  service.inject({ method: "POST", path: "/v2/tokens", times: 2, action: { kind: "close-before-response" } });
  const failed = await workspace.up({ args: ["--continue-on-error"], expectFailure: true });
  const lost = service.tokens.list().map(({ id }) => id);
  for (const id of lost) expect(failed.stdout).toContain(`was created with id ${id}, but its secret never arrived`);
  const resources = await Promise.all(forms.map((form) => deployment.resource("ApiToken", form)));
  expect(resources.map(({ id }) => id).sort()).toEqual([...lost].sort());
  for (const { outputs } of resources)
    expect(outputs).toMatchObject({ incomplete: expect.stringContaining("never arrived") });

  await workspace.up();
  for (const form of forms) expect(lost).not.toContain((await deployment.resource("ApiToken", form)).id);
  expect(service.calls.filter(({ method }) => method === "POST")).toHaveLength(4);
});
