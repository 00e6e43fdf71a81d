import { expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../emulator";
import { checkInputs } from "../../framework/hooks";
import type { AnnotationInputs, AnnotationState } from "../../provider/nouns/annotation/definition";
import { annotation, hostedAnnotation } from "../../provider/nouns/annotation/lifecycle";
import { json } from "../support/service";
import { beginScript, planOf } from "../support/session";
import { beginSession } from "./tokenWorld";

const extended = planOf("extended");
const deploy = { key: "deployed", datasets: ["web", "api"], title: "Deployed", type: "deploy" };
const { key: _, ...fields } = deploy;

/** A client of the local service, and an annotation that it made there. */
async function createAnnotation(inputs: AnnotationInputs = deploy, options: Partial<EmulatorOptions> = {}) {
  const it = await beginSession({ profile: "extended", ...options });
  return { ...it, ...(await annotation.create(it.session, inputs)) };
}

const changesOf = (state: AnnotationState, inputs: AnnotationInputs) => {
  const { plans: _, ...change } = annotation.diff("ann_1", state, inputs, extended);
  return change;
};

test("a change is made in place and sends only what changed; what is no longer declared is emptied", async () => {
  await using at = await createAnnotation({ ...deploy, url: "https://x.example/1" });
  const next = { ...deploy, datasets: ["api", "web"], title: "Deployed again" };
  expect(changesOf(at.state, next)).toEqual({ changes: true, replaces: [] });
  const state = await annotation.update(at.session, at.id, at.state, next);
  expect(at.service.annotations.list()).toEqual([
    { ...fields, id: at.id, time: "2026-11-21T12:00:00Z", title: "Deployed again", url: "" },
  ]);
  expect(changesOf(state, next).changes).toBe(false);
  expect(state.time).toBe("2026-11-21T12:00:00.000Z");
});

test("an end can be changed in place; without it there is another annotation, because no request removes an end", async () => {
  const ended = { ...deploy, endTime: "2026-11-21T12:30:00Z" };
  await using at = await createAnnotation(ended);
  expect(changesOf(at.state, { ...deploy, endTime: "2026-11-21T12:40:00Z" }).replaces).toEqual([]);
  expect(changesOf(at.state, deploy)).toEqual({ changes: true, replaces: ["endTime"] });
  // In the smaller profile every change makes another annotation.
  expect(annotation.diff(at.id, at.state, deploy, planOf()).replaces).toEqual(["endTime"]);
});

test("changed triggers make another annotation; a changed retain changes nothing that is live", async () => {
  await using at = await createAnnotation({ ...deploy, triggers: { commit: "a" } });
  expect(changesOf(at.state, { ...deploy, triggers: { commit: "b" } }).replaces).toEqual(["triggers"]);
  const retained = { ...deploy, triggers: { commit: "a" }, retain: false };
  expect(changesOf(at.state, retained)).toEqual({ changes: true, replaces: [] });
  expect(await annotation.update(at.session, at.id, at.state, retained)).toMatchObject({ retain: false });
  expect(at.service.calls.map(({ method }) => method)).toEqual(["POST"]);
});

test("a refresh sees what was changed behind our back, and the next update puts it back", async () => {
  await using at = await createAnnotation();
  expect(await annotation.read(at.session, at.id, at.state)).toEqual({ state: at.state });
  await at.service.annotations.change(at.id, { title: "Mine", time: "2020-01-01T00:00:00Z", url: "https://x.example" });

  const found = await annotation.read(at.session, at.id, at.state);
  expect(found?.inputs).toEqual({ ...deploy, title: "Mine", url: "https://x.example" });
  expect(found?.state).toMatchObject({ title: "Mine", time: "2020-01-01T00:00:00Z", url: "https://x.example" });
  const drifted = found?.state ?? at.state;
  expect(changesOf(drifted, deploy).changes).toBe(true);

  const settled = await annotation.update(at.session, at.id, drifted, deploy);
  expect(at.service.annotations.list()[0]).toMatchObject({ title: "Deployed", time: "2026-11-21T12:00:00Z", url: "" });
  expect(changesOf(settled, deploy).changes).toBe(false);
});

test("what the service makes of a value by itself is no drift", async () => {
  const given = { title: "Deployed!", time: "2026-11-21T12:00:00Z" };
  const answer = { id: "ann_1", ...fields, ...given };
  await using it = await beginScript("extended", json(201, answer), json(200, answer));
  const { state } = await annotation.create(it.session, { ...deploy, time: "2026-11-21T12:00:00.4Z" });
  const declared = { title: "Deployed", time: "2026-11-21T12:00:00.4Z" };
  expect(state).toMatchObject({ ...given, record: { declared } });
  expect(await annotation.read(it.session, "ann_1", state)).toEqual({ state });
});

test("an annotation that was deleted behind our back is gone, and deleting it again is no error", async () => {
  await using at = await createAnnotation();
  await at.service.annotations.remove(at.id);
  expect(await annotation.read(at.session, at.id, at.state)).toBeUndefined();
  await annotation.delete(at.session, at.id, at.state);
  await expect(annotation.update(at.session, at.id, at.state, { ...deploy, title: "Other" })).rejects.toThrow(
    `annotation ${at.id} was not found: run "pulumi refresh"`,
  );
});

test("not found is not believed while the list still has it", async () => {
  const missing = json(404, { message: "not found" });
  const listed = json(200, [{ id: "ann_1" }]);
  await using it = await beginScript("extended", missing, listed, listed);
  const state = { ...deploy, time: "2026-11-21T12:00:00Z", record: {} };
  await expect(annotation.read(it.session, "ann_1", state)).rejects.toThrow("not treated as deleted");
});

test.each([
  [deploy, 0],
  [{ ...deploy, retain: true }, 1],
  [{ ...deploy, triggers: { commit: "a" } }, 1],
  [{ ...deploy, triggers: { commit: "a" }, retain: false }, 0],
])("a deletion of %j leaves %i annotation", async (inputs, left) => {
  await using at = await createAnnotation(inputs);
  await annotation.delete(at.session, at.id, at.state);
  expect(at.service.annotations.list()).toHaveLength(left);
  // A deletion that succeeded needs no right to read.
  expect(at.service.calls.map(({ method }) => method)).not.toContain("GET");
});

test.each([
  [{}, { triggers: { commit: "a" } }, 1],
  [{ triggers: { commit: "a" } }, { triggers: { commit: "b" }, retain: false }, 0],
  [{ triggers: { commit: "a" } }, {}, 1],
])("an annotation that declared %j is replaced by %j: %i of the old one stays", async (before, now, left) => {
  await using at = await createAnnotation({ ...deploy, ...before });
  const { plans } = annotation.diff(at.id, at.state, { ...deploy, ...now }, extended);
  await annotation.delete(at.session, at.id, at.state, plans?.[at.id]);
  expect(at.service.annotations.list()).toHaveLength(left);
});

test.each([
  [{ type: undefined }, ["type"]],
  [{ type: "Deploy 1" }, ["type"]],
  [{ type: "d".repeat(257) }, ["type"]],
  [{ title: "t".repeat(257), description: "d".repeat(513) }, ["title", "description"]],
  [{ url: "nowhere", title: "t".repeat(257) }, ["url", "title"]],
  [{ url: `https://x.example/${"u".repeat(512)}` }, ["url"]],
  [{ title: "é".repeat(256), description: "d".repeat(512) }, []],
])("what the public service would refuse in %j is found at preview", (change, properties) => {
  const { failures } = checkInputs(hostedAnnotation, undefined, { ...deploy, ...change }, extended);
  expect(failures.map(({ property }) => property)).toEqual(properties);
  // The documented interface names no limit; only an address must be one there.
  const documented = checkInputs(hostedAnnotation, undefined, { ...deploy, ...change }, planOf()).failures;
  expect(documented.map(({ property }) => property)).toEqual(
    "url" in change && change.url === "nowhere" ? ["url"] : [],
  );
});
