import { expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { findSecret } from "../support/secrets";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

const program = {
  "index.ts": `import { ApiToken } from "pulumi-event-datasets";
export const { id, token } = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] } });
`,
};

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
