import { expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { bothForms, inForm } from "../support/forms";
import { findSecret } from "../support/secrets";
import { json, startService } from "../support/service";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

const program = {
  "index.ts": `import { ApiToken } from "pulumi-event-datasets";
export const { id, token } = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] } });
`,
};

test("missing settings fail the preview and name every place that was looked in", async () => {
  const env = { EVENT_DATASETS_BASE_URL: "", EVENT_DATASETS_ACCESS_TOKEN: undefined };
  await using deployment = await createDeployment({ program, env });
  const { stdout } = await deployment.workspace.preview({ expectFailure: true });
  expect(stdout).toContain("set environment variable EVENT_DATASETS_BASE_URL or stack config event-datasets:baseUrl");
  expect(stdout).toContain(
    "set environment variable EVENT_DATASETS_ACCESS_TOKEN or stack config event-datasets:accessToken",
  );
  expect(deployment.service.calls).toEqual([]);
});

test("on Node.js 20 a program ends with one clear line", async () => {
  await using deployment = await createDeployment({
    hosts: "engine",
    program: {
      "node20.cjs": `Object.defineProperty(process.versions, "node", { value: "20.20.2" });`,
      "index.js": `const { ApiToken } = require("pulumi-event-datasets");\nnew ApiToken("ci");\n`,
    },
  });
  const { workspace } = deployment;
  const env = { NODE_OPTIONS: `--require ${workspace.program}/node20.cjs` };
  const { stdout, stderr } = await workspace.preview({ env, expectFailure: true });
  expect(stdout + stderr).toMatch(
    /error: pulumi-event-datasets: Node\.js 22\.19 or newer is needed; this is v\S+ \(\S+\)$/m,
  );
  expect(stdout + stderr).not.toMatch(/^ +at /m);
});

test("settings can come from the stack config", async () => {
  const env = { EVENT_DATASETS_BASE_URL: undefined, EVENT_DATASETS_ACCESS_TOKEN: undefined };
  await using deployment = await createDeployment({ program, env });
  const { workspace, service } = deployment;
  await workspace.setConfig("event-datasets:baseUrl", service.url);
  await workspace.setConfig("event-datasets:accessToken", service.rootToken, { secret: true });
  await workspace.up();
  await workspace.refresh({ args: ["--expect-no-changes"] });
  expect(service.tokens.list()).toHaveLength(1);
  expect(await deployment.traces(service.rootToken)).toEqual([]);
});

test.each([
  [
    `new ApiToken("ci", { expiresAt: pulumi.secret("canary-5d1f9a0b77c2"), orgCapabilities: { apiTokens: "read" } })`,
    ["expiresAt", "orgCapabilities.apiTokens"],
  ],
  [`new Annotation("deployed", { datasets: [], time: pulumi.secret("canary-5d1f9a0b77c2") })`, ["datasets", "time"]],
])(
  "%s fails the preview, each unusable input with its property, before any request, and a secret is not shown",
  async (resource, properties) => {
    await using deployment = await createDeployment({
      program: {
        "index.js": `const pulumi = require("@pulumi/pulumi");
const { Annotation, ApiToken } = require("pulumi-event-datasets");
${resource};
`,
      },
    });
    const { stdout } = await deployment.workspace.preview({ expectFailure: true });
    for (const property of properties) {
      expect(stdout).toMatch(new RegExp(`has a problem: ${property} must be`));
    }
    expect(await findSecret({ texts: { stdout } }, "canary-5d1f9a0b77c2")).toEqual([]);
    expect(deployment.service.calls).toEqual([]);
  },
);

test("a refused access token is reported with the setting that it came from", async () => {
  await using deployment = await createDeployment({
    program,
    env: { EVENT_DATASETS_ACCESS_TOKEN: "xaat-canary-wrong-1" },
  });
  const { stdout } = await deployment.workspace.up({ expectFailure: true });
  expect(stdout).toContain("the access token (from environment variable EVENT_DATASETS_ACCESS_TOKEN) is not valid");
  expect(await deployment.traces("xaat-canary-wrong-1")).toEqual([]);
});

test("in the extended profile and both forms, a preview warns of a wrong access token and of no service, before and after the first update", async () => {
  await using deployment = await createDeployment(
    inForm("both", {
      env: { EVENT_DATASETS_PROFILE: "extended" },
      serviceOptions: { profile: "extended" },
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
    expect(refused.stdout.match(/^ +warning: .* cannot be listed: .*ACCESS_TOKEN\) is not valid$/gm)).toHaveLength(2);
    const unreachable = await workspace.preview(nowhere);
    expect(unreachable.stdout.match(/^ +warning: .* cannot be listed: .* could not connect/gm)).toHaveLength(2);
  };
  await expectWarnings();
  await workspace.up();
  await expectWarnings();
  const { stdout } = await workspace.preview({ args: ["--expect-no-changes"] });
  expect(stdout).not.toContain("cannot be listed");
});

test("a token is tracked if the response to its create was lost, and the next update replaces it", async () => {
  await using deployment = await createDeployment({ program });
  const { workspace, service } = deployment;
  service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "close-before-response" } });

  const failed = await workspace.up({ expectFailure: true });
  const [lost] = service.tokens.list();
  expect(failed.stdout).toContain(`was created with id ${lost?.id}, but its secret never arrived`);
  expect(await deployment.resource("ApiToken", "ci")).toMatchObject({
    id: lost?.id,
    outputs: { record: { lost: true } },
  });

  await workspace.up();
  const { id } = await workspace.outputs();
  expect(id).not.toBe(lost?.id);
  expect(service.tokens.list()).toHaveLength(2);
  expect(service.calls.filter(({ method }) => method === "POST")).toHaveLength(2);
  await workspace.preview({ args: ["--expect-no-changes"] });
});

test("if the response to an annotation's create was lost, it is not sent again, and the error says that it may exist", async () => {
  await using deployment = await createDeployment({
    program: {
      "index.ts": `import { Annotation } from "pulumi-event-datasets";
new Annotation("deployed", { datasets: ["web"], title: "Deployed" });
`,
    },
  });
  deployment.service.inject({ method: "POST", path: "/v2/annotations", action: { kind: "close-before-response" } });
  const { stdout } = await deployment.workspace.up({ expectFailure: true });
  expect(stdout).toContain("The annotation may exist; it was not sent again.");
  expect(deployment.service.annotations.list()).toHaveLength(1);
});

test("in the extended profile the token of a create whose response was lost is revoked once the next update has replaced it", async () => {
  const env = { EVENT_DATASETS_PROFILE: "extended" };
  await using deployment = await createDeployment({ program, env, serviceOptions: { profile: "extended" } });
  const { workspace, service } = deployment;
  service.inject({ method: "POST", path: "/v2/tokens", action: { kind: "close-before-response" } });
  await workspace.up({ expectFailure: true });
  await workspace.up();
  const { id, token } = await workspace.outputs({ showSecrets: true });
  expect(service.tokens.list()).toMatchObject([{ id }]);
  expect(deployment.writes()).toEqual([
    expect.stringMatching(/^POST/),
    "POST /v2/tokens 200",
    expect.stringMatching(/^DELETE .* 204$/),
  ]);
  expect(await deployment.traces(String(token))).toEqual([]);
});

test("no value that the service derives from a secret input is in plain text anywhere", async () => {
  const canary = "canary-90c2e6f1b7";
  const answer = { id: "t1", name: "ci", description: canary };
  await using service = await startService(
    json(200, { ...answer, token: "xaat-of-the-test" }),
    json(200, answer),
    json(200, [answer]),
    json(200, [answer]),
  );
  await using deployment = await createDeployment({
    env: { EVENT_DATASETS_BASE_URL: service.url },
    program: {
      "index.ts": `import * as pulumi from "@pulumi/pulumi";
import { ApiToken } from "pulumi-event-datasets";
new ApiToken("ci", { name: "ci", description: new pulumi.Config().requireSecret("text").apply((text) => " " + text + " ") });
`,
    },
  });
  const { workspace } = deployment;
  await workspace.setConfig("text", canary, { secret: true });
  const { stdout } = await workspace.up();
  expect(stdout).toContain("the service returned other values than declared for description");
  await workspace.refresh({ args: ["--expect-no-changes"] });
  await workspace.preview({ args: ["--expect-no-changes"] });
  expect(await deployment.traces(canary)).toEqual([]);
});
