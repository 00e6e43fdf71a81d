import { expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

// More tokens than two windows allow: the first window may end while the tokens are created.
const tokens = 17;
const program = {
  "index.js": `const { ApiToken } = require("pulumi-event-datasets");
for (let i = 0; i < ${tokens}; i++) new ApiToken("ci" + i, { expiresIn: "1d" });
`,
};

test("one update creates more tokens than a window of the rate limit allows, with hardly a refusal, and says that it waits", async () => {
  // So long that even a busy machine needs another window. Up to 8 requests are under way before a response announces the limit.
  const rateLimit = { requests: 8, windowMs: 10_000, headers: true };
  await using deployment = await createDeployment({ program, serviceOptions: { rateLimit } });
  const { workspace, service } = deployment;
  const { stdout } = await workspace.up();
  expect(service.tokens.list()).toHaveLength(tokens);
  const writes = deployment.writes();
  expect(writes.filter((call) => call === "POST /v2/tokens 200")).toHaveLength(tokens);
  expect(writes.length).toBeLessThanOrEqual(tokens + 2);
  expect(stdout).toContain("the rate limit of the service is used up: requests wait for");
});
