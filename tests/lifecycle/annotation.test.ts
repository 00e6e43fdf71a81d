import { expect, test } from "@jest/globals";
import { checkInputs } from "../../framework/hooks";
import type { AnnotationInputs } from "../../provider/annotation/definition";
import { annotation, hostedAnnotation } from "../../provider/annotation/lifecycle";
import { connect } from "../support/client";
import { hangUp, json, startService } from "../support/service";
import { findReasons, planOf, sessionOf } from "../support/session";

const deploy = { key: "deployed", datasets: ["web", "api"], title: "Deployed" };

test("a time that was left out is the moment of creation, and stays that", async () => {
  await using service = await startService(json(201, { id: "ann_1", ...deploy }));
  await using client = connect(service.url);
  const { id, state } = await annotation.create(sessionOf(client), deploy);
  expect(id).toBe("ann_1");
  expect(state).toEqual({
    ...deploy,
    time: "2026-11-21T12:00:00.000Z",
    record: { timeTaken: "2026-11-21T12:00:00.000Z" },
  });
  const { key: _, ...sent } = deploy;
  expect(JSON.parse(service.requests[0]?.body ?? "")).toEqual({ ...sent, time: "2026-11-21T12:00:00Z" });
  expect(annotation.diff("ann_1", state, deploy, planOf())).toEqual({ changes: false, replaces: [] });
});

test("an end before the moment of creation is refused before anything is sent", async () => {
  await using service = await startService(json(201, { id: "ann_1" }));
  await using client = connect(service.url);
  const create = annotation.create(sessionOf(client), { ...deploy, endTime: "2026-11-21T11:59:00Z" });
  await expect(create).rejects.toThrow("endTime must not be before time (2026-11-21T12:00:00.000Z)");
  expect(service.calls).toEqual([]);
});

test("a creation that was not answered is not repeated, and its annotation may exist", async () => {
  await using service = await startService(hangUp);
  await using client = connect(service.url);
  await expect(annotation.create(sessionOf(client), deploy)).rejects.toThrow(/may exist; it was not sent again/);
  expect(service.calls).toEqual(["POST /v2/annotations"]);
});

test("a refresh reports what was recorded and asks the service nothing", async () => {
  await using service = await startService(json(500, {}));
  await using client = connect(service.url);
  const state = { ...deploy, time: "2026-11-21T12:00:00Z", record: {} };
  expect(await annotation.read(sessionOf(client), "ann_1", state)).toEqual({ state });
  await annotation.delete(sessionOf(client), "ann_1", state);
  expect(service.calls).toEqual([]);
});

test("an annotation that was never recorded cannot be looked up, and the error says why", async () => {
  await using client = connect("http://127.0.0.1:1");
  await expect(annotation.read(sessionOf(client), "ann_1", {})).rejects.toThrow("no way to read an annotation");
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
