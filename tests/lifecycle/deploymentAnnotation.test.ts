import { expect, test } from "@jest/globals";
import { unknown } from "../../framework/testing";
import type { DeploymentAnnotationState } from "../../provider/nouns/deploymentAnnotation/definition";
import { hangUp, json } from "../support/service";
import { beginScript, declarer } from "../support/story";

const startedAt = "2026-11-21T11:58:00.000Z";
const fields = { datasets: ["web"], title: "Deploy", type: "deploy" };
const declare = declarer("DeploymentAnnotation", { ...fields, startedAt, trigger: "commit a" });
const unchanged = { changes: false, replaces: [] };

test("what is sent is the range from the start of the program to the creation of the marker", async () => {
  await using it = await beginScript("documented", json(201, { id: "ann_1" }));
  const now = it.clock.now().toISOString();
  // A clock that was set back makes no range that ends before it starts.
  const early = declare({ startedAt: "2099-01-01T00:00:00.000Z" });
  await it.up({ deployment: declare(), early });
  const withoutMilliseconds = (text: string) => text.replace(/\.\d+/, "");
  const [endTime, time] = [now, startedAt].map(withoutMilliseconds);
  expect(JSON.parse(it.service.requests[0]?.body ?? "")).toEqual({ ...fields, time, endTime });
  expect(it.state("deployment")).toMatchObject({
    time: startedAt,
    endTime: now,
    recorded: true,
    annotationId: "ann_1",
  });
  expect(it.state<DeploymentAnnotationState>("early").endTime).toBe("2099-01-01T00:00:00.000Z");
});

test("what was marked keeps its inputs in later runs; another commit brings its own", async () => {
  await using it = await beginScript("documented", json(201, { id: "ann_1" }));
  await it.up({ deployment: declare() });
  const later = { startedAt: "2026-11-22T00:00:00Z", url: "https://ci.example.com/2" };
  const inputs = () => it.stack.find("deployment")?.inputs;
  const before = inputs();
  expect((await it.up({ deployment: declare(later) })).found.deployment).toEqual(unchanged);
  expect(inputs()).toEqual(before);
  await it.up({ deployment: declare({ ...later, required: true }) });
  expect(inputs()).toEqual({ ...before, required: true });
  await it.up({ deployment: declare({ ...later, trigger: "commit b" }) });
  expect(inputs()).toMatchObject({ ...later, trigger: "commit b" });
  expect(it.service.calls).toHaveLength(2);
});

test("a trigger that is not known yet is previewed as another annotation", async () => {
  await using it = await beginScript("documented", json(201, { id: "ann_1" }));
  await it.up({ deployment: declare() });
  const { found } = await it.preview({ deployment: declare({ trigger: unknown }) });
  expect(found.deployment).toEqual({ changes: true, replaces: ["trigger"] });
});

// tests/faults has every other failure.
test.each([
  ["the service has too many requests", json(429, {}, { "retry-after": "900" }), false],
  ["the answer was lost", hangUp, "unknown"],
] as const)("when %s the deployment goes on, with a warning", async (_, behaviour, recorded) => {
  await using it = await beginScript("documented", behaviour);
  const { told } = await it.up({ deployment: declare() });
  expect(it.id("deployment")).toMatch(/^unrecorded-[0-9a-f]{12}$/);
  expect(it.state("deployment")).toMatchObject({ recorded, endTime: expect.any(String) });
  expect(told).toContainEqual(expect.stringContaining("is not recorded, and will not be sent again"));
  const sent = it.service.calls.length;
  expect((await it.up()).found.deployment).toEqual(unchanged);
  await it.destroy();
  expect(it.service.calls).toHaveLength(sent);
});
