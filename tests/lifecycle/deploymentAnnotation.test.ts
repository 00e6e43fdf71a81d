import { expect, test } from "@jest/globals";
import { checkInputs } from "../../framework/hooks";
import { isPartialCreate, isUncertain } from "../../framework/lifecycle";
import { notKnown } from "../../framework/unknown";
import type {
  DeploymentAnnotationInputs,
  DeploymentAnnotationState,
} from "../../provider/nouns/deploymentAnnotation/definition";
import { hostedDeploymentAnnotation } from "../../provider/nouns/deploymentAnnotation/lifecycle";
import type { Lifecycle } from "../../provider/shared/account/connection";
import { hangUp, json } from "../support/service";
import { beginScript, diffInUpdate, planOf, sessionOf } from "../support/session";

/** Typed by its own inputs. */
const deploymentAnnotation = hostedDeploymentAnnotation.lifecycle as unknown as Lifecycle<
  DeploymentAnnotationInputs,
  DeploymentAnnotationState
>;

const inputs: DeploymentAnnotationInputs = {
  datasets: ["web"],
  title: "Deploy",
  type: "deploy",
  startedAt: "2026-11-21T11:58:00.000Z",
  trigger: "commit a",
  key: "deployment",
};
const range = { time: inputs.startedAt, endTime: "2026-11-21T12:00:00.000Z" };
const done = { ...inputs, ...range, recorded: true } as unknown as DeploymentAnnotationState;
const request = {
  datasets: ["web"],
  title: "Deploy",
  type: "deploy",
  time: "2026-11-21T11:58:00Z",
  endTime: "2026-11-21T12:00:00Z",
};

test("what is sent is the range from the start of the program to the creation of the marker", async () => {
  await using it = await beginScript("documented", json(201, { id: "ann_1" }));
  const { id, state } = await deploymentAnnotation.create(it.session, inputs);
  expect(JSON.parse(it.service.requests[0]?.body ?? "")).toEqual(request);
  expect([id, state]).toEqual(["ann_1", { ...inputs, ...range, recorded: true, annotationId: "ann_1" }]);
  // A clock that was set back makes no range that ends before it starts.
  const earlier = sessionOf(it.client, new Date("2026-11-21T11:00:00Z"));
  expect((await deploymentAnnotation.create(earlier, inputs)).state.endTime).toBe(inputs.startedAt);
});

test("what was marked keeps its inputs in later runs; another commit brings its own", () => {
  const later = { ...inputs, startedAt: "2026-11-22T00:00:00Z", url: "https://ci.example.com/2", required: true };
  expect(checkInputs(hostedDeploymentAnnotation, { ...inputs }, later, planOf())).toEqual({
    inputs: { ...inputs, required: true },
    failures: [],
    warnings: [],
  });
  const next = { ...later, trigger: "commit b" };
  expect(checkInputs(hostedDeploymentAnnotation, { ...inputs }, next, planOf()).inputs).toEqual(next);
});

test("a trigger that is not known yet is previewed as another annotation", async () => {
  const news = { ...inputs, trigger: notKnown };
  expect(await diffInUpdate(hostedDeploymentAnnotation, "ann_1", done, news)).toMatchObject({
    changes: true,
    replaces: ["trigger"],
  });
});

// tests/faults has every other failure.
test.each([
  ["the service has too many requests", json(429, {}, { "retry-after": "900" }), false],
  ["the answer was lost", hangUp, "unknown"],
] as const)("when %s the deployment goes on, with a warning", async (_, behaviour, recorded) => {
  await using it = await beginScript("documented", behaviour);
  const { service, session } = it;
  const { id, state } = await deploymentAnnotation.create(session, inputs);
  expect(id).toMatch(/^unrecorded-[0-9a-f]{12}$/);
  expect(state).toMatchObject({ ...range, recorded });
  expect(session.warnings).toEqual([expect.stringContaining("is not recorded, and will not be sent again")]);
  const sent = service.calls.length;
  expect(deploymentAnnotation.diff(id, state, inputs, planOf()).changes).toBe(false);
  await deploymentAnnotation.update(session, id, state, inputs);
  await deploymentAnnotation.delete(session, id, state);
  expect(service.calls).toHaveLength(sent);
});

test("a required marker that may have arrived fails, is sent once, and leaves nothing that could pass for it", async () => {
  await using it = await beginScript("documented", hangUp);
  const { service, session } = it;
  const failure = await deploymentAnnotation.create(session, { ...inputs, required: true }).catch((e: unknown) => e);
  expect(isUncertain(failure) && !isPartialCreate(failure)).toBe(true);
  expect((failure as Error).message).toContain("The annotation may exist; it was not sent again.");
  expect(service.calls).toHaveLength(1);
});
