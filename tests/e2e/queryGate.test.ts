import { expect, test } from "@jest/globals";
import { createWorkspace, type WorkspaceOptions } from "../support/engine";
import type { ProgramSource } from "../support/program";
import { oneValue } from "../support/queryAnswers";
import { type Behaviour, json, type ScriptedService, startService } from "../support/service";

/** By default a gate's limit, which is real time, ends only a test that hangs. */
const program = (args = "", trigger = "a", duration = "1h") => ({
  "index.ts": `import { Annotation, QueryGate } from "pulumi-event-datasets";
const gate = new QueryGate("errors", {
  apl: "['web'] | where status >= 500 | summarize count()",
  startTime: "now-5m", endTime: "now", expect: { max: 5 }, every: "1s", for: "${duration}", triggers: { image: "${trigger}" }, ${args}
});
const promoted = new Annotation("promoted", { datasets: ["web"], triggers: { image: "${trigger}" } }, { dependsOn: gate });
export const { value, attempts } = gate;
`,
});

/** A service whose queries are answered as listed, the last answer staying, and that takes every annotation. */
function startAnswering(...queries: readonly Behaviour[]): Promise<ScriptedService> {
  const calls: string[] = [];
  return startService((response, request, socket) => {
    const at = calls.filter((call) => call === request.call).length;
    calls.push(request.call);
    const made = json(201, { ...JSON.parse(request.body || "{}"), id: `ann_${at}` });
    const query = queries[Math.min(at, queries.length - 1)];
    return (request.call === "POST /v1/datasets/_apl" && query ? query : made)(response, request, socket);
  });
}

const workspaceOn = (service: ScriptedService, source: ProgramSource, more: Partial<WorkspaceOptions> = {}) =>
  createWorkspace({
    program: source,
    env: { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "xaat-1" },
    ...more,
  });

const promotions = ({ calls }: ScriptedService) => calls.filter((call) => call === "POST /v2/annotations").length;
const attempts = (service: ScriptedService) => service.calls.length - promotions(service);

test("a gate passes at the third attempt, shows each, and then lets its dependents go on", async () => {
  await using service = await startAnswering(oneValue(9), oneValue(7), oneValue(4));
  await using workspace = await workspaceOn(service, program());
  expect((await workspace.preview()).stdout).toContain("a preview does not evaluate this gate");
  expect(service.calls).toEqual([]);

  const { stdout } = await workspace.up();
  expect(stdout).toContain('gate "errors", attempt 1: the value is 9; expected at most 5');
  expect(stdout).toContain('gate "errors", attempt 2: the value is 7; expected at most 5');
  expect(stdout).toContain('gate "errors", attempt 3: passed with 4');
  expect(await workspace.outputs()).toEqual({ value: 4, attempts: 3 });
  expect(service.calls).toEqual([...Array(3).fill("POST /v1/datasets/_apl"), "POST /v2/annotations"]);

  await workspace.up({ args: ["--refresh", "--expect-no-changes"] });
  await workspace.destroy();
  expect(attempts(service)).toBe(3);
});

test("a gate that fails keeps the old state, and its dependents are not created; changed triggers and the next update evaluate it again", async () => {
  let errors = 9;
  await using service = await startAnswering((...exchange) => oneValue(errors)(...exchange));
  await using workspace = await workspaceOn(service, program("", "a", "2s"));
  const { stdout } = await workspace.up({ expectFailure: true });
  expect(stdout).toMatch(/the value is 9\s+expected: at most 5\s+query: \['web'\]/);
  expect(promotions(service)).toBe(0);
  errors = 1;
  await workspace.up();
  await workspace.writeFile("index.ts", program("", "b", "2s")["index.ts"]);
  errors = 9;
  expect((await workspace.preview()).stdout).toMatch(/QueryGate errors update/);
  await workspace.up({ expectFailure: true });
  expect(await workspace.outputs()).toMatchObject({ value: 1 });
  expect(promotions(service)).toBe(1);

  errors = 2;
  await workspace.writeFile("index.ts", program("", "b")["index.ts"]);
  await workspace.up();
  expect(await workspace.outputs()).toMatchObject({ value: 2 });
  expect(promotions(service)).toBe(2);
});

test("the first Ctrl-C lets a gate finish and stops the update after it; the second stops the gate", async () => {
  await using service = await startAnswering(oneValue(9), oneValue(9), oneValue(1), oneValue(9));
  await using workspace = await workspaceOn(service, program(), { hosts: "engine" });
  const first = await workspace.start(["up", "--yes", "--skip-preview"]);
  await first.printed("attempt 1");
  first.kill("SIGINT");
  expect((await first.done).code).not.toBe(0);
  expect([attempts(service), promotions(service)]).toEqual([3, 0]);

  await workspace.writeFile("index.ts", program('settle: "30s"', "b")["index.ts"]);
  const second = await workspace.start(["up", "--yes", "--skip-preview"]);
  await second.printed("attempt 1");
  second.kill("SIGINT");
  await second.printed("cancel");
  second.kill("SIGINT");
  const { code, stdout } = await second.done;
  expect(code).not.toBe(0);
  expect(stdout).not.toMatch(/attempt \d+: passed|did not pass/); // ended before it came to a verdict
  expect(promotions(service)).toBe(0);
});
