import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { CHECKOUT } from "../support/program";

// Costs that are the same on every machine: bytes, requests, modules. `bench/` measures times.

const tokens = 3;
const program = `const { ApiToken } = require("pulumi-event-datasets");
for (let n = 0; n < ${tokens}; n++) {
  new ApiToken("token-" + n, { expiresIn: "30d", orgCapabilities: { apiTokens: ["read"] } });
}
`;

test("a token costs one request for each operation, and less than 700 bytes of our own in the state", async () => {
  await using deployment = await createDeployment({ program: { "index.js": program }, profile: "extended" });
  const { workspace, service } = deployment;
  const requestsOf = async (run: () => Promise<unknown>) => {
    const before = service.calls.length;
    await run();
    return service.calls
      .slice(before)
      .map(({ method, path }) => `${method} ${path.replace(/tok-.*|[^/]{20,}$/, "ID")}`);
  };

  // With the engine's own hosts, because a stack trace depends on what runs the program.
  const created = Array(tokens).fill("POST /v2/tokens");
  // The list shows whether the service accepts the access token.
  expect(await requestsOf(() => workspace.up({ hosts: "engine" }))).toEqual(["GET /v2/tokens", ...created]);
  const token = await deployment.resource("ApiToken", "token-0");
  expect(sizeOf(token)).toBeLessThan(400);
  expect(Object.keys(token.outputs ?? {}).sort()).toEqual(recorded);
  // The program's own line, and none of this package: the engine tells people where a resource is declared.
  expect(token.sourcePosition).toBe("project:///index.js#3,3");
  expect(JSON.stringify(token.stackTrace)).not.toContain("/dist/");

  expect(await requestsOf(() => workspace.up({ args: ["--expect-no-changes"] }))).toEqual(["GET /v2/tokens"]);
  expect(await requestsOf(() => workspace.refresh())).toEqual(["GET /v2/tokens"]);
  // The list shows whether an overlap keeps a token.
  const deleted = Array(tokens).fill("DELETE /v2/tokens/ID");
  expect(await requestsOf(() => workspace.destroy())).toEqual(["GET /v2/tokens", ...deleted]);
});

const recorded = [...["__provider", "expiresAt", "expiresIn", "key", "name"], ...["orgCapabilities", "token"]];

/**
 * The size of the state without declared values and the encrypted secret: inputs, outputs and the list of dependencies.
 * The engine's own members are as long as its paths.
 */
function sizeOf({ inputs, outputs, propertyDependencies }: Record<string, unknown>): number {
  const declared = ["expiresIn", "orgCapabilities", "token"];
  const own = [inputs, outputs, propertyDependencies].map((part) =>
    Object.entries(part as object).filter(([key]) => !declared.includes(key)),
  );
  return own.reduce((total, entries) => total + JSON.stringify(Object.fromEntries(entries)).length, 0);
}

const providers = ["api-token", "annotation", "dataset", "deployment-annotation", "query-gate"].map(
  (name) => `pulumi-event-datasets/v1/${name}`,
);

/** How many modules of what loads each of these anew, by package. */
async function countModules(loads: readonly string[]): Promise<readonly Record<string, number>[]> {
  const script = `
    require("@pulumi/pulumi");
    const before = new Set(Object.keys(require.cache));
    const all = ${JSON.stringify(loads)}.map((load) => {
      require(load);
      const counts = {};
      for (const file of Object.keys(require.cache).filter((name) => !before.has(name))) {
        const [, name] = /.*node_modules\\/(@[^/]+\\/[^/]+|[^/]+)/.exec(file) ?? [, "own"];
        counts[name] = (counts[name] ?? 0) + 1;
        delete require.cache[file];
      }
      return counts;
    });
    console.log(JSON.stringify(all));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], { cwd: CHECKOUT });
  return JSON.parse(stdout);
}

test("a program loads neither the client nor anything else that it does not need, and the provider of each resource only what sends requests", async () => {
  const [program = {}, ...hosted] = await countModules(["pulumi-event-datasets", ...providers]);
  expect(Object.keys(program)).toEqual(["own"]);
  expect(program.own).toBeLessThanOrEqual(69);
  expect(hosted).toHaveLength(providers.length);
  for (const { own = 0, ...others } of hosted) {
    expect(Object.keys(others).sort()).toEqual(["undici"]);
    expect(others.undici).toBeLessThan(40);
    expect(own).toBeGreaterThan(10);
    expect(own).toBeLessThanOrEqual(105);
  }
});
