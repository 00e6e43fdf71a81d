import { createHash } from "node:crypto";
import { isObject } from "../../sdk/values/json";
import type { ResourceType } from "../dynamic/strings";
import { annotation } from "../lifecycle/annotation/annotation";
import { deploymentMarker } from "../lifecycle/annotation/deploymentMarker";
import { asJson, isSame } from "../lifecycle/compare";
import { hasUnknown, type Lifecycle } from "../lifecycle/contract";
import { queryGate } from "../lifecycle/gate/queryGate";
import { apiToken } from "../lifecycle/token/apiToken";
import { deriveOutputs } from "../lifecycle/token/outputs";
import { madeOfCommit, makeMarker, problemsOf } from "./deployment";
import type { Place } from "./place";
import type { Bag, Decoded } from "./values";

/** A resource as programs of every language declare it. */
export interface Definition {
  readonly lifecycle: Lifecycle<Bag, Bag>;
  /** The form in dynamic providers, which takes the state over. */
  readonly dynamic: ResourceType;
  /** The lifecycle's inputs: those that the constructor of the dynamic form adds are made here. */
  readonly make: (declared: Decoded, place: Place) => Bag | Promise<Bag>;
  /** What is wrong with arguments that are none of the lifecycle's inputs, a sentence each. */
  readonly problems?: (values: Bag) => readonly string[];
  /** What is known only once it is done, unless the program declares it. */
  readonly computed: readonly string[];
  /** What an update in place makes anew. */
  readonly renewed?: (inputs: Bag) => readonly string[];
  /** What the dynamic form computes in the program: `undefined` where there is none. */
  readonly derive?: (state: Bag) => Bag;
  /** Whether a state that the lifecycle leaves as it is records an input that has changed. */
  readonly isStale?: (state: Bag, inputs: Bag) => boolean;
  /** Properties that are secret whatever the program says. */
  readonly secrets?: (values: Bag) => readonly string[];
  /** What to tell of an object that is taken over as it is. */
  readonly onImport?: string;
}

/** What the engine hands over is no type's; the lifecycle's own `check` looks at all of it. */
const untyped = (lifecycle: object) => lifecycle as Lifecycle<Bag, Bag>;

/** Inputs that the engine copied whole say by themselves which of them are secret. */
const withSecretInputs = (values: Bag, secrets: readonly string[]): Bag =>
  secrets.length > 0 && values.secretInputs === undefined ? { ...values, secretInputs: secrets } : values;

const gateOutputs = ["value", "attempts", "passedAt"];

const givesToken = ({ adopt }: Bag): boolean => isObject(adopt) && adopt.token !== undefined;

/** By the resource's type, as in `event-datasets:index:ApiToken`. */
export const definitions: Readonly<Record<string, Definition>> = {
  ApiToken: {
    lifecycle: untyped(apiToken),
    dynamic: "ApiToken",
    make({ values, secrets, isSecret }, { urn, name }) {
      // The token of an adoption is always secret, so of it only the name says something.
      const keys = new Set(secrets.filter((key) => key !== "adopt"));
      if (isSecret("adopt", "name")) keys.add("name");
      for (const key of ["expireAfter", "rotateBefore"]) if (isSecret("rotation", key)) keys.add(`rotation.${key}`);
      const resourceKey = createHash("sha256").update(urn).digest("hex").slice(0, 12);
      return withSecretInputs({ ...values, autoName: name, resourceKey }, [...keys].sort());
    },
    computed: ["token", "sealedToken", "fingerprint", "createdAt", "rotatesAt", "expiresAt"],
    renewed: (inputs) => [
      ...(givesToken(inputs) ? ["token", "fingerprint"] : []),
      ...(hasUnknown(inputs.rotation) ? ["rotatesAt"] : []),
    ],
    derive: (state) => ({ rotatesAt: undefined, ...deriveOutputs(state) }),
    // While adopt is there, what is recorded tells what the adopted token was declared with.
    isStale: (state, inputs) => inputs.adopt === undefined && !isSame(asJson, state.rotation, inputs.rotation),
    secrets: (values) => ["token", ...(givesToken(values) ? ["adopt"] : [])],
    onImport: "its secret cannot be read again, so token is empty",
  },
  Annotation: {
    lifecycle: untyped(annotation),
    dynamic: "Annotation",
    make: ({ values, secrets }) => withSecretInputs(values, secrets),
    computed: ["time"],
  },
  DeploymentAnnotation: {
    lifecycle: untyped(deploymentMarker),
    dynamic: "DeploymentMarker",
    async make({ values, secrets }, place) {
      const { commit: _, per: __, ...keys } = Object.fromEntries(secrets.map((key) => [key, true]));
      const made = secrets.includes("commit") || secrets.includes("per") ? madeOfCommit : [];
      return withSecretInputs(await makeMarker(values, place), [...new Set([...Object.keys(keys), ...made])].sort());
    },
    problems: problemsOf,
    computed: ["annotationId", "recorded", "time", "endTime"],
  },
  QueryGate: {
    lifecycle: untyped(queryGate),
    dynamic: "QueryGate",
    make: ({ values, secrets }, { name }) => withSecretInputs({ ...values, name }, secrets),
    computed: gateOutputs,
    renewed: () => gateOutputs,
  },
};

/** A type's own name, as in `ApiToken`. */
export const nameOfType = (token: string): string => token.slice(token.lastIndexOf(":") + 1);
