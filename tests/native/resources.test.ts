import { expect, test } from "@jest/globals";
import { oneValue } from "../support/queryAnswers";
import { startService } from "../support/service";
import { type Failure, type Plugin, secret, startPlugin, unknownText, urnOf } from "./plugin";
import { usePlugin } from "./usePlugin";

// A folder of no checkout and an environment of no CI system: what is deployed is what a test says.
const it = usePlugin({ GIT_DIR: "/nowhere" });

test("an annotation is made, changed in place, read and deleted", async () => {
  const urn = urnOf("deployed", "Annotation");
  const { inputs } = await it.plugin.check(urn, { datasets: ["web"], type: "deploy", title: secret("1.4 of nobody") });
  const made = (await it.plugin.create(urn, inputs)) as Exclude<Awaited<ReturnType<Plugin["create"]>>, Failure>;
  expect(made.outputs).toMatchObject({ title: secret("1.4 of nobody"), time: secret(expect.any(String)) });
  const news = { ...inputs, title: secret("1.5 of nobody") };
  expect(await it.plugin.diff(urn, made.id, made.outputs, news, inputs)).toEqual({
    changes: true,
    replaces: [],
    detailed: { title: "update" },
  });
  const planned = await it.plugin.update(urn, made.id, made.outputs, news, true);
  expect(planned).toMatchObject({ title: secret("1.5 of nobody"), time: made.outputs.time });
  expect(it.service.annotations.list()).toMatchObject([{ title: "1.4 of nobody" }]);
  const updated = (await it.plugin.update(urn, made.id, made.outputs, news)) as Record<string, unknown>;
  expect(it.service.annotations.list()).toMatchObject([{ title: "1.5 of nobody" }]);
  expect((await it.plugin.read(urn, made.id, updated, news)).outputs).toEqual(updated);
  await it.plugin.delete(urn, made.id, updated);
  expect(it.service.annotations.list()).toEqual([]);
});

test("a gate passes on what a query says, keeps its old state when it fails, and a preview evaluates nothing", async () => {
  const urn = urnOf("errors", "QueryGate");
  await using scripted = await startService(oneValue(3), oneValue(99));
  await using other = await startPlugin();
  await other.configure({ baseUrl: scripted.url, accessToken: "xaat-root" });
  const declared = {
    apl: "['web'] | count",
    startTime: "now-5m",
    endTime: "now",
    expect: { max: 5 },
    triggers: { a: 1 },
  };
  // Time for the first query of a process on a busy machine.
  const { inputs, reasons } = await other.check(urn, { ...declared, for: "1h", every: "1s" });
  expect([reasons, inputs.key]).toEqual([[], "errors"]);
  expect(await other.create(urn, inputs, true)).toMatchObject({
    outputs: { value: unknownText, passedAt: unknownText },
  });
  expect(scripted.calls).toEqual([]);
  const made = (await other.create(urn, inputs)) as Exclude<Awaited<ReturnType<Plugin["create"]>>, Failure>;
  expect(made).toMatchObject({ id: expect.stringMatching(/^gate-/), outputs: { value: 3, attempts: 1 } });
  const failed = (await other.update(urn, "gate-1", made.outputs, { ...inputs, for: "1s" })) as Failure;
  expect(failed.message).toContain("99");
  expect(failed.kept).toBeUndefined();
  await expect(other.read(urn, "gate-1")).rejects.toMatchObject({
    details: expect.stringContaining("cannot be looked up"),
  });
});

test("a deployment is marked once a commit, with what the plugin's own environment says of it", async () => {
  const urn = urnOf("marked", "DeploymentAnnotation");
  const first = await it.plugin.check(urn, { datasets: ["web"], commit: "0a1b2c3d4e5f" });
  expect(first.reasons).toEqual([]);
  expect(first.inputs).toMatchObject({
    title: "Deploy web to dev (0a1b2c3)",
    description: "Commit 0a1b2c3d4e5f\nPulumi stack web/dev",
    trigger: "commit 0a1b2c3d4e5f",
    type: "deploy",
  });
  const made = (await it.plugin.create(urn, first.inputs)) as Exclude<Awaited<ReturnType<Plugin["create"]>>, Failure>;
  expect(made.outputs).toMatchObject({ recorded: true, annotationId: made.id, time: expect.any(String) });
  const again = await it.plugin.check(
    urn,
    { datasets: ["web"], commit: "0a1b2c3d4e5f", title: "other" },
    { olds: first.inputs },
  );
  expect(await it.plugin.diff(urn, made.id, made.outputs, again.inputs, first.inputs)).toMatchObject({
    changes: false,
  });
  const next = await it.plugin.check(urn, { datasets: ["web"], commit: "ffff2c3d4e5f" }, { olds: first.inputs });
  expect(await it.plugin.diff(urn, made.id, made.outputs, next.inputs, first.inputs)).toMatchObject({
    replaces: ["commit", "trigger"],
  });
  const later = await it.plugin.check(urn, { datasets: ["web"], commit: unknownText }, { olds: first.inputs });
  expect(later.inputs).toMatchObject({ trigger: unknownText, title: unknownText });
});
