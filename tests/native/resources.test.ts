import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Emulator } from "../../emulator";
import { startTemporaryEmulator } from "../support/deployment";
import { oneValue } from "../support/queryAnswers";
import { startService } from "../support/service";
import { type Failure, type Plugin, secret, startPlugin, unknownText, urnOf } from "./plugin";

let service: Emulator & Partial<AsyncDisposable>;
let plugin: Plugin;

beforeAll(async () => {
  service = await startTemporaryEmulator({ profile: "extended" });
  // A folder of no checkout and an environment of no CI system: what is deployed is what a test says.
  plugin = await startPlugin({ GIT_DIR: "/nowhere" });
  await plugin.configure({ baseUrl: service.url, accessToken: service.rootToken, profile: "extended" });
});

afterAll(async () => {
  await plugin[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]?.();
});

test("an annotation is made, changed in place, read and deleted", async () => {
  const urn = urnOf("deployed", "Annotation");
  const { inputs } = await plugin.check(urn, { datasets: ["web"], type: "deploy", title: secret("1.4 of nobody") });
  const made = (await plugin.create(urn, inputs)) as Exclude<Awaited<ReturnType<Plugin["create"]>>, Failure>;
  expect(made.outputs).toMatchObject({ title: secret("1.4 of nobody"), time: secret(expect.any(String)) });
  const news = { ...inputs, title: secret("1.5 of nobody") };
  expect(await plugin.diff(urn, made.id, made.outputs, news, inputs)).toEqual({
    changes: true,
    replaces: [],
    detailed: { title: "update" },
  });
  const planned = await plugin.update(urn, made.id, made.outputs, news, true);
  expect(planned).toMatchObject({ title: secret("1.5 of nobody"), time: made.outputs.time });
  expect(service.annotations.list()).toMatchObject([{ title: "1.4 of nobody" }]);
  const updated = (await plugin.update(urn, made.id, made.outputs, news)) as Record<string, unknown>;
  expect(service.annotations.list()).toMatchObject([{ title: "1.5 of nobody" }]);
  expect((await plugin.read(urn, made.id, updated, news)).outputs).toEqual(updated);
  await plugin.delete(urn, made.id, updated);
  expect(service.annotations.list()).toEqual([]);
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
  const first = await plugin.check(urn, { datasets: ["web"], commit: "0a1b2c3d4e5f" });
  expect(first.reasons).toEqual([]);
  expect(first.inputs).toMatchObject({
    title: "Deploy web to dev (0a1b2c3)",
    description: "Commit 0a1b2c3d4e5f\nPulumi stack web/dev",
    trigger: "commit 0a1b2c3d4e5f",
    type: "deploy",
  });
  const made = (await plugin.create(urn, first.inputs)) as Exclude<Awaited<ReturnType<Plugin["create"]>>, Failure>;
  expect(made.outputs).toMatchObject({ recorded: true, annotationId: made.id, time: expect.any(String) });
  const again = await plugin.check(
    urn,
    { datasets: ["web"], commit: "0a1b2c3d4e5f", title: "other" },
    { olds: first.inputs },
  );
  expect(await plugin.diff(urn, made.id, made.outputs, again.inputs, first.inputs)).toMatchObject({ changes: false });
  const next = await plugin.check(urn, { datasets: ["web"], commit: "ffff2c3d4e5f" }, { olds: first.inputs });
  expect(await plugin.diff(urn, made.id, made.outputs, next.inputs, first.inputs)).toMatchObject({
    replaces: ["trigger"],
  });
  const later = await plugin.check(urn, { datasets: ["web"], commit: unknownText }, { olds: first.inputs });
  expect(later.inputs).toMatchObject({ trigger: unknownText, title: unknownText });
});

test("lookups answer, and what is asked with a secret is answered as one", async () => {
  const made = (await plugin.create(urnOf("seen"), { name: "seen", orgCapabilities: { users: ["read"] } })) as {
    id: string;
  };
  const token = { id: made.id, name: "seen", orgCapabilities: { users: ["read"] } };
  expect(await plugin.invoke("getToken", { name: "seen" })).toEqual(token);
  expect(await plugin.invoke("getTokens", { namePrefix: "se" })).toEqual({ tokens: [token] });
  expect(await plugin.invoke("getToken", { id: secret(made.id) })).toMatchObject({ name: secret("seen") });
  await expect(plugin.invoke("getToken", { nam: "seen" })).rejects.toMatchObject({
    details: expect.stringContaining('argument nam is not known; did you mean "name"?'),
  });
  await service.ingest("web", [{ _time: new Date().toISOString(), status: 500 }]);
  const answer = await plugin.invoke("queryApl", { apl: "['web'] | where status == 500 | summarize count()" });
  expect(answer).toMatchObject({ buckets: { totals: [{ aggregations: [{ value: 1 }] }] } });
  await expect(plugin.invoke("nothing", {})).rejects.toMatchObject({
    details: expect.stringContaining("there is no function"),
  });
});

test("of a deployment that is marked already the secret texts stay secret, whatever is declared by now", async () => {
  const urn = urnOf("hidden", "DeploymentAnnotation");
  const declared = { datasets: ["web"], commit: "0a1b2c3d4e5f" };
  const first = await plugin.check(urn, { ...declared, description: secret("of nobody") });
  const second = await plugin.check(urn, { ...declared, description: "of everybody" }, { olds: first.inputs });
  const { secretInputs: _, ...earlier } = first.inputs;
  const third = await plugin.check(urn, declared, { olds: earlier });
  for (const { inputs } of [second, third]) expect(inputs.description).toEqual(secret("of nobody"));
  const made = (await plugin.create(urn, first.inputs)) as Exclude<Awaited<ReturnType<Plugin["create"]>>, Failure>;
  const updated = await plugin.update(urn, made.id, made.outputs, { ...declared, required: true });
  expect(updated).toMatchObject({ description: secret("of nobody"), required: true });
});
