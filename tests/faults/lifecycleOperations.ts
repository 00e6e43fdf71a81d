import type { Hints } from "../../framework/identity";
import { type Bag, isPartialCreate } from "../../framework/lifecycle";
import { plainShapes } from "../../framework/shapes";
import { eventDatasets, type ResourceName } from "../../provider/eventDatasets";
import { apiToken } from "../../provider/nouns/apiToken/lifecycle";
import { dataset } from "../../provider/nouns/dataset/lifecycle";
import { hostedDeploymentAnnotation } from "../../provider/nouns/deploymentAnnotation/lifecycle";
import { hostedQueryGate } from "../../provider/nouns/queryGate/lifecycle";
import type { Hosted, Lifecycle } from "../../provider/shared/account/connection";
import type { EventDatasets, OperationName, Profile } from "../../sdk";
import { operations } from "../../sdk/operations";
import { gate } from "../lifecycle/gates";
import type { NotedSession } from "../support/host";
import { samples } from "../support/samples";
import { clientOperations } from "./clientOperations";

/** An operation of a resource. One kind of its requests meets the fault. */
export interface LifecycleOperation {
  /** The name in the documentation. */
  readonly name: string;
  readonly profile: Profile;
  /** The requests that meet the fault, as "POST /v2/tokens"; a `*` stands for an id. */
  readonly request: string;
  /** Resolves to the result, in a word or two. `direct` does not meet the fault. */
  readonly run: (session: NotedSession, direct: EventDatasets) => Promise<string>;
}

const own = { key: "ci", datasets: ["web"], type: "deploy", title: "1.4" } as const;
const deployed = { ...own, startedAt: "2026-11-21T10:00:00Z", trigger: "1.4" };

let unique = 0;
/** A token with a new name for every cell, because the cells share a service. */
const newToken = () => ({
  name: `ci-${(unique++).toString(16).padStart(7, "0")}`,
  key: "ci",
  orgCapabilities: { users: ["read"] },
});

/** The same for a dataset, whose events may be deleted. */
const newDataset = () => ({ name: newToken().name, key: "ci", deleteEvents: true });

/** The result of a create that failed. */
const describeFailure = ({ message }: Error): string => (/may exist/.test(message) ? "may exist" : "failed");

const createToken = (session: NotedSession, more: object = {}): Promise<string> =>
  apiToken.create(session, { ...newToken(), ...more }).then(
    ({ state }) => (state.token === undefined ? "created without a secret" : "created"),
    (failure) => (isPartialCreate(failure) ? "tracked as lost" : describeFailure(failure)),
  );

/** An operation on an object that was created without the fault. If it fails, the object stays as it is. */
const onManaged =
  <Inputs extends Hints, State extends Inputs>(
    lifecycle: Lifecycle<Inputs, State>,
    inputs: () => Inputs,
    operate: (session: NotedSession, id: string, state: State, direct: EventDatasets) => Promise<string>,
  ): LifecycleOperation["run"] =>
  async (session, direct) => {
    const { id, state } = await lifecycle.create({ ...session, client: direct }, inputs());
    return operate(session, id, state, direct).catch(() => "kept");
  };

/** A token that was not created only now, and has another one beside it. */
const settled = <State extends object>(state: State): State => ({
  ...state,
  ...("evidence" in state && {
    evidence: String(state.evidence).replace(/^\w+ (\w+).*/, "t841c0 $1 t0"),
  }),
});

const nameResult = (found: object | undefined) => (found ? "found" : "gone");

const operation = (
  name: string,
  profile: Profile,
  request: string,
  run: LifecycleOperation["run"],
): LifecycleOperation => ({ name, profile, request, run });

/** The rows of a resource whose hooks each send one request: one row for each hook that has an operation. */
function rowsOf(noun: ResourceName): LifecycleOperation[] {
  const { definition, lifecycle } = eventDatasets.resources[noun] as Hosted;
  const inputs = { key: "ci", ...samples[noun].declared };
  const text = definition.fields.find((field) => definition.properties[field]?.is === plainShapes.string) ?? "";
  const row = (hook: string, verb: string, run: LifecycleOperation["run"]) =>
    (Object.values(definition.operations ?? {}) as OperationName[])
      .filter((name) => name.endsWith(`.${verb}`))
      .map((name) => operation(`${noun}: ${hook}`, operations[name].profile, clientOperations[name].line, run));
  const managed = (operate: Parameters<typeof onManaged<Hints & Bag, Hints & Bag>>[2]) =>
    onManaged(lifecycle, () => inputs, operate);
  return [
    ...row("create", "create", (session) => lifecycle.create(session, inputs).then(() => "created", describeFailure)),
    ...row(
      "read",
      "get",
      managed((session, id, state) => lifecycle.read(session, id, state).then(nameResult)),
    ),
    ...row(
      "update",
      "update",
      managed((session, id, state) =>
        lifecycle.update(session, id, state, { ...inputs, [text]: "1.5" }).then(() => "updated"),
      ),
    ),
    ...row(
      "delete",
      "delete",
      managed((session, id, state) => lifecycle.delete(session, id, state).then(() => "deleted")),
    ),
  ];
}

/** The rows of the other resources. */
const ownRows: Readonly<Partial<Record<ResourceName, readonly LifecycleOperation[]>>> = {
  ApiToken: [
    operation("ApiToken: create, generated name", "documented", "POST /v2/tokens", (session) => createToken(session)),
    operation("ApiToken: create, chosen name", "documented", "POST /v2/tokens", (session) =>
      createToken(session, { chosenName: true }),
    ),
    operation(
      "ApiToken: read",
      "documented",
      "GET /v2/tokens/*",
      // The list shows another value than the state, so that the token is looked up by its id.
      onManaged(apiToken, newToken, (session, id, state) =>
        apiToken.read(session, id, settled({ ...state, description: "of before" })).then(nameResult),
      ),
    ),
    operation(
      "ApiToken: read in the list",
      "documented",
      "GET /v2/tokens",
      onManaged(apiToken, newToken, (session, id, state) =>
        apiToken.read(session, id, settled(state)).then(nameResult),
      ),
    ),
    operation(
      "ApiToken: read of one that is gone",
      "extended",
      "GET /v2/tokens",
      onManaged(apiToken, newToken, async (session, id, state, direct) => {
        await direct.tokens.delete(id);
        return apiToken.read(session, id, settled(state)).then(nameResult);
      }),
    ),
    operation(
      "ApiToken: delete",
      "extended",
      "DELETE /v2/tokens/*",
      onManaged(apiToken, newToken, (session, id, state) => apiToken.delete(session, id, state).then(() => "deleted")),
    ),
  ],
  Dataset: [
    operation("Dataset: create, generated name", "extended", "POST /v2/datasets", (session) =>
      dataset.create(session, newDataset()).then(() => "created", describeFailure),
    ),
    operation(
      "Dataset: read",
      "extended",
      "GET /v2/datasets/*",
      onManaged(dataset, newDataset, (session, id, state) => dataset.read(session, id, state).then(nameResult)),
    ),
    operation(
      "Dataset: update",
      "extended",
      "PUT /v2/datasets/*",
      onManaged(dataset, newDataset, (session, id, state) =>
        dataset.update(session, id, state, { ...state, description: "1.5" }).then(() => "updated"),
      ),
    ),
    operation(
      "Dataset: delete",
      "extended",
      "DELETE /v2/datasets/*",
      onManaged(dataset, newDataset, (session, id, state) => dataset.delete(session, id, state).then(() => "deleted")),
    ),
  ],
  DeploymentAnnotation: [
    operation("DeploymentAnnotation", "documented", "POST /v2/annotations", (session) =>
      hostedDeploymentAnnotation.lifecycle.create(session, deployed).then(
        ({ state }) => (state.recorded === true ? "created" : state.recorded === "unknown" ? "may exist" : "skipped"),
        () => "failed",
      ),
    ),
    operation("DeploymentAnnotation, required", "documented", "POST /v2/annotations", (session) =>
      hostedDeploymentAnnotation.lifecycle
        .create(session, { ...deployed, required: true })
        .then(() => "created", describeFailure),
    ),
  ],
  QueryGate: [
    operation("QueryGate", "documented", "POST /v1/datasets/_apl", (session) =>
      hostedQueryGate.lifecycle.create(session, { ...gate, every: "1s", for: "2s" }).then(
        () => "passed",
        () => "stopped",
      ),
    ),
  ],
};

export const lifecycleOperations: readonly LifecycleOperation[] = Object.keys(eventDatasets.resources).flatMap(
  (noun) => ownRows[noun as ResourceName] ?? rowsOf(noun as ResourceName),
);
