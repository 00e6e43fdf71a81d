import { expect, test } from "@jest/globals";
import { checkInputs } from "../../framework/hooks";
import type { AnnotationInputs } from "../../provider/nouns/annotation/definition";
import { annotation, hostedAnnotation } from "../../provider/nouns/annotation/lifecycle";
import { json } from "../support/service";
import { beginScript, findReasons, planOf } from "../support/session";

const deploy = { key: "deployed", datasets: ["web", "api"], title: "Deployed" };

test("a time that was left out is the moment of creation, and stays that", async () => {
  await using it = await beginScript("documented", json(201, { id: "ann_1", ...deploy }));
  const { id, state } = await annotation.create(it.session, deploy);
  expect(id).toBe("ann_1");
  expect(state).toEqual({
    ...deploy,
    time: "2026-11-21T12:00:00.000Z",
    record: { timeTaken: "2026-11-21T12:00:00.000Z" },
  });
  const { key: _, ...sent } = deploy;
  expect(JSON.parse(it.service.requests[0]?.body ?? "")).toEqual({ ...sent, time: "2026-11-21T12:00:00Z" });
  expect(annotation.diff("ann_1", state, deploy, planOf())).toMatchObject({ changes: false, replaces: [] });
});

test("an end before the moment of creation is refused before anything is sent", async () => {
  await using it = await beginScript("documented", json(201, { id: "ann_1" }));
  const create = annotation.create(it.session, { ...deploy, endTime: "2026-11-21T11:59:00Z" });
  await expect(create).rejects.toThrow("endTime must not be before time (2026-11-21T12:00:00.000Z)");
  expect(it.service.calls).toEqual([]);
});

test("a refresh reports what was recorded and asks the service nothing; without a record the error says why", async () => {
  await using it = await beginScript("documented", json(500, {}));
  const state = { ...deploy, time: "2026-11-21T12:00:00Z", record: {} };
  expect(await annotation.read(it.session, "ann_1", state)).toEqual({ state });
  await expect(annotation.read(it.session, "ann_1", {})).rejects.toThrow(
    'the profile "documented" cannot read an annotation',
  );
  await annotation.delete(it.session, "ann_1", state);
  await annotation.delete(it.session, "ann_1", { ...state, retain: false });
  expect(it.session.warnings).toEqual([
    'annotation ann_1 stays: the profile "documented" cannot delete an annotation.',
  ]);
  expect(it.service.calls).toEqual([]);
});

test("every change replaces; the order of datasets and the spelling of instants are none", () => {
  const state = { ...deploy, time: "2026-11-21T12:00:00Z", record: {} };
  const diff = (change: Partial<AnnotationInputs>) =>
    annotation.diff("ann_1", state, { ...deploy, ...change }, planOf());
  expect(diff({ datasets: ["api", "web"], time: "2026-11-21T12:00:00.0Z" }).changes).toBe(false);
  expect(diff({ title: "Other", url: "https://x.example" }).replaces).toEqual(["title", "url"]);
  expect(diff({ time: "2026-11-21T12:00:01Z" }).replaces).toEqual(["time"]);
});

test.each([
  [{ datasets: [] }, ["datasets"]],
  [{ datasets: "web" }, ["datasets"]],
  [{ datasets: ["web"], time: "noon", endTime: 7 }, ["time", "endTime"]],
  [{ datasets: ["web"], time: "2026-01-02T00:00:00Z", endTime: "2026-01-02T00:00:00+01:00" }, ["endTime"]],
  [{ datasets: ["web"], titel: "x" }, ["titel"]],
])("%j is refused for %j", (news, properties) => {
  expect(checkInputs(hostedAnnotation, undefined, news, planOf()).failures.map((f) => f.property)).toEqual(properties);
});

test("the datasets cannot be left out in any profile, the type only in the documented one", async () => {
  expect(await findReasons(hostedAnnotation, { key: "deployed" })).toEqual(["datasets is missing"]);
  expect(await findReasons(hostedAnnotation, { key: "deployed", datasets: null }, "extended")).toEqual([
    "datasets is missing",
    "type is missing",
  ]);
});
