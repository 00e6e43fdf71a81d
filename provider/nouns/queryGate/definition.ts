import {
  type ArgsOf,
  defineResource,
  type InputsOf,
  type OutputsOf,
  type StateOf,
} from "../../../framework/definition";
import { duration, made, nonEmptyText, oneOf, type Shape, scalars, simple, text } from "../../../framework/shapes";
import type { GateValue } from "../../../gate";
import type { OperationName } from "../../../sdk";
import { expectation } from "./bounds";

/** The shape without a part in the decision whether a gate passes. */
const ignored = <T>({ judge }: Shape<T>): Shape<T> => ({ judge, canonical: () => undefined });

/** A duration that changes if its spelling does. */
const asWritten: typeof duration = { ...duration, canonical: (value) => value };

/** A choice that is the same as none. */
const choice = <const T extends string>(usual: T, ...others: readonly T[]): Shape<T> => ({
  ...oneOf(usual, ...others),
  canonical: (value) => (value === usual ? undefined : value),
});

const triggers: typeof scalars = simple(
  "must be an object of strings, numbers and booleans, with at least one: without a change a gate is not evaluated again",
  (value) => scalars.judge(value).length === 0 && Object.keys(value as object).length > 0,
);

/** Every evaluation, even in place, computes the output again. */
const renewed = (): boolean => true;

export const queryGateDefinition = defineResource<object, OperationName>()({
  name: "QueryGate",
  module: "v1/query-gate",
  operations: { create: "queries.apl" },
  properties: {
    /** The query in APL. It must name its dataset. Messages show the query unless it is a secret. */
    apl: { is: nonEmptyText, required: true },
    /**
     * Start of the time range of the query. The provider sends it unchanged. Axiom accepts RFC 3339 timestamps and expressions such as
     * `now-5m`, which each attempt evaluates again.
     */
    startTime: { is: nonEmptyText, required: true },
    /** End of the time range of the query, in the same formats. */
    endTime: { is: nonEmptyText, required: true },
    /** Bounds for the value of the query. */
    expect: { is: expectation, required: "the bounds of the value, such as { max: 5 }" },
    /**
     * Pause between two attempts.
     * @default "15s"
     */
    every: { is: ignored(duration) },
    /**
     * Overall time limit of the gate, including pauses, queries and waits for a rate limit.
     * @default "5m"
     */
    for: { is: ignored(duration) },
    /** How long the value must be within the bounds at every attempt. By default, the first attempt that passes is enough. */
    settle: { is: asWritten },
    /**
     * Whether a query without data passes the gate.
     * @default "fail"
     */
    noData: { is: choice("fail", "pass") },
    /**
     * `fail`: an attempt with any warning or message from the service does not pass. `show`: if the result is only an estimate, or
     * comes with a message of low priority, the gate shows this and can still pass. With any other warning, or a field that does not
     * exist, an attempt never passes.
     * @default "show"
     */
    warnings: { is: choice("show", "fail") },
    /**
     * Values that identify what is being deployed, such as an image digest or a commit; at least one. When one of them, the
     * query or its bounds change, the gate is evaluated again.
     */
    triggers: {
      is: triggers,
      required:
        "a gate is evaluated only when one of them changes; set what is being deployed, such as { image: canary.imageDigest }",
    },
    /**
     * The value that passed: a single value, or the first hundred values of the column. Empty if there was no data.
     */
    value: { is: made<GateValue>(), kind: "output", derives: true, renewed },
    /**
     * Number of attempts.
     * @asType integer
     */
    attempts: { is: made<number>(), kind: "output", always: "output", derives: true, renewed },
    /** Time at which the gate passed: an RFC 3339 timestamp. */
    passedAt: { is: text, kind: "output", always: "output", renewed },
  },
  insteadOfImport: "there is nothing to import",
});

/** The arguments of a `QueryGate`. Durations are short (`15s`, `5m`, `1h`) or ISO 8601 (`PT15S`). */
export interface QueryGateArgs extends ArgsOf<typeof queryGateDefinition> {}

/** The inputs of a gate, as its arguments describe them. */
export interface QueryGateInputs extends InputsOf<typeof queryGateDefinition> {}

/** The state of a gate that passed. */
export interface QueryGateState extends StateOf<typeof queryGateDefinition> {}

export interface QueryGateOutputs extends OutputsOf<typeof queryGateDefinition> {}
