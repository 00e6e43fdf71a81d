import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { Trap } from "../kills/trap";
import { createDeployment, startTemporaryEmulator } from "../support/deployment";
import { createWorkspace, type StateResource, type Workspace } from "../support/engine";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

const extended = { serviceOptions: { profile: "extended" }, env: { EVENT_DATASETS_PROFILE: "extended" } } as const;

test("a second simultaneous update of a stack is refused before its program runs, and nothing is created twice", async () => {
  await using service = await startTemporaryEmulator();
  await using trap = await Trap.open(service.url);
  const program = `require("node:fs").appendFileSync("runs", "x");
const { ApiToken } = require("pulumi-event-datasets");
exports.id = new ApiToken("ci", { orgCapabilities: { apiTokens: ["read"] } }).id;
`;
  const env = { EVENT_DATASETS_BASE_URL: trap.url, EVENT_DATASETS_ACCESS_TOKEN: service.rootToken };
  await using workspace = await createWorkspace({ program: { "index.js": program }, env });
  // The token is made, and its answer is on its way.
  const hold = trap.set({ request: "POST /v2/tokens", moment: "carried out" });
  const first = await workspace.start(["up", "--yes", "--skip-preview"]);
  await hold.caught;

  const { stdout, stderr } = await workspace.up({ expectFailure: true });
  expect(stdout + stderr).toContain("the stack is currently locked by 1 lock(s)");
  expect(await readFile(path.join(workspace.program, "runs"), "utf8")).toBe("x");

  hold.release("pass");
  expect(await first.done).toMatchObject({ code: 0 });
  expect(trap.creates).toHaveLength(1);
  expect((await workspace.outputs()).id).toBe(service.tokens.list()[0]?.id);
});

const on = (stack: string, ...more: string[]) => ({ args: ["--stack", stack, ...more] });

/** The tokens of a stack, as its state has them. */
async function tokensOf(workspace: Workspace, stack: string): Promise<StateResource[]> {
  const { stdout } = await workspace.run(["stack", "export", "--stack", stack]);
  const resources: StateResource[] = JSON.parse(stdout).deployment.resources ?? [];
  return resources.filter(({ type }) => type.endsWith(":ApiToken"));
}

test("two stacks that create a token of the same name at once have one each; destroying one leaves the other", async () => {
  const program = `const { ApiToken } = require("pulumi-event-datasets");
new ApiToken("ci", { name: "ci", orgCapabilities: { apiTokens: ["read"] } });
`;
  await using deployment = await createDeployment({ ...extended, program: { "index.js": program } });
  const { workspace, service } = deployment;
  await workspace.run(["stack", "init", "other", "--no-select"]);
  await Promise.all(["dev", "other"].map((stack) => workspace.up(on(stack))));
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200", "POST /v2/tokens 200"]);
  const [[dev], [other]] = [await tokensOf(workspace, "dev"), await tokensOf(workspace, "other")];
  expect(new Set([dev?.id, other?.id])).toEqual(new Set(service.tokens.list().map(({ id }) => id)));
  expect(dev?.id).not.toBe(other?.id);

  await workspace.destroy(on("other"));
  expect(service.tokens.list().map(({ id }) => id)).toEqual([dev?.id]);
});

test("if two stacks adopt a token and the first replaces it, the second reports it as gone and touches nothing of the first", async () => {
  await using deployment = await createDeployment({ ...extended, program: { "index.js": "" } });
  const { workspace, service } = deployment;
  const spec = { name: "legacy", orgCapabilities: { apiTokens: ["read"] } } as const;
  const [legacy] = await service.tokens.add([spec]);
  const id = legacy?.id;
  const declare = (more: object) =>
    workspace.writeFile(
      "index.js",
      `new (require("pulumi-event-datasets").ApiToken)("ci", ${JSON.stringify({ ...spec, ...more })});\n`,
    );
  await workspace.run(["stack", "init", "other", "--no-select"]);
  await declare({ adopt: { id } });
  await Promise.all(["dev", "other"].map((stack) => workspace.up(on(stack))));
  expect(deployment.writes()).toEqual([]);

  await declare({ description: "renewed" });
  await workspace.up(on("dev"));
  const [renewed] = service.tokens.list();
  expect(deployment.writes()).toEqual(["POST /v2/tokens 200", `DELETE /v2/tokens/${id} 204`]);

  await declare({ adopt: { id } });
  const still = await workspace.up(on("other"));
  expect(still.stdout).toContain(
    `(id ${id}) is in the state but no longer exists. To create it again, run "pulumi refresh"`,
  );
  await workspace.refresh(on("other"));
  expect(await tokensOf(workspace, "other")).toEqual([]);
  const refused = await workspace.up({ ...on("other"), expectFailure: true });
  expect(refused.stdout).toContain("there is no token with the id of adopt to adopt");
  expect(service.tokens.list()).toEqual([renewed]);

  // Without "adopt" it is a token of its own, made once.
  await declare({});
  await workspace.up(on("other"));
  await workspace.destroy(on("other"));
  expect(service.tokens.list()).toEqual([renewed]);
  expect(deployment.writes().filter((write) => write.startsWith("POST"))).toHaveLength(2);
});
