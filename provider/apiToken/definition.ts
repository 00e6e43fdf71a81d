import { defineResource } from "../../framework/definition";
import { tokensOf } from "../../framework/package";
import type { TokenSpec } from "../../sdk";
import { sightingMembers, thisPackage } from "../strings";
import type { ApiTokenArgs } from "./args";
import type { ApiTokenInputs, ApiTokenState, DerivedOutputs } from "./model";

/** Inputs from which the expiry of a token can be told. */
const end = ["expiresAt", "expiresIn", "rotation.expireAfter"] as const;

/** The fields whose declared values are recorded: the compiler rejects a missing one, which would not be encrypted. */
const recordedFields = {
  name: true,
  description: true,
  expiresAt: true,
  datasetCapabilities: true,
  orgCapabilities: true,
  viewCapabilities: true,
} as const satisfies Record<keyof TokenSpec, true>;

export const apiTokenDefinition = defineResource<ApiTokenArgs, ApiTokenInputs, ApiTokenState & DerivedOutputs>()({
  name: "ApiToken",
  module: "dynamic/v1/api-token",
  properties: {
    name: { kind: "argument", replaces: true, computed: true },
    description: { kind: "argument", replaces: true },
    expiresAt: { kind: "argument", replaces: true, computed: true, derivesFrom: end },
    expiresIn: { kind: "argument", replaces: true },
    rotation: { kind: "argument", replaces: "sometimes" },
    retire: { kind: "argument" },
    adopt: { kind: "argument", secretWith: "token" },
    datasetCapabilities: { kind: "argument", replaces: true },
    orgCapabilities: { kind: "argument", replaces: true },
    viewCapabilities: { kind: "argument", replaces: true },
    sealFor: { kind: "argument", replaces: true },
    key: { kind: "hint" },
    chosenName: { kind: "hint" },
    secretInputs: { kind: "hint" },
    token: { kind: "output", computed: true, secret: true },
    sealedToken: { kind: "output", computed: true, derivesFrom: ["sealFor"] },
    fingerprint: { kind: "output", computed: true },
    createdAt: { kind: "output", computed: true },
    rotatesAt: { kind: "derived", computed: true, derivesFrom: [...end, "rotation.rotateBefore"] },
    record: {
      kind: "record",
      otherwise: { origin: "created" },
      members: {
        ...sightingMembers,
        origin: [],
        // `hideSecrets` leaves out what derives from secret inputs of either token.
        predecessors: [],
        priorExpiresAt: end,
        declared: [...Object.keys(recordedFields), ...end],
      },
    },
  },
  secretPaths: [
    { hint: "name", path: ["adopt", "name"] },
    { hint: "rotation.expireAfter", path: ["rotation", "expireAfter"] },
    { hint: "rotation.rotateBefore", path: ["rotation", "rotateBefore"] },
  ],
  judgedByParts: ["adopt"],
  insteadOfImport: "take the token over with the argument adopt: { id }, or look it up with ApiToken.get",
  onImport: "its secret cannot be read again, so token is empty",
});

/** The engine's types of an API token in each of its forms. */
export const apiTokenTypes: readonly string[] = tokensOf(thisPackage, apiTokenDefinition);
