import { defineResource } from "../../framework/definition";
import { tokensOf } from "../../framework/package";
import { evidenceMembers, thisPackage } from "../strings";
import type { ApiTokenArgs } from "./args";
import type { ApiTokenInputs, ApiTokenState, DerivedOutputs } from "./model";

export const apiTokenDefinition = defineResource<ApiTokenArgs, ApiTokenInputs, ApiTokenState & DerivedOutputs>()({
  name: "ApiToken",
  module: "dynamic/v1/api-token",
  properties: {
    name: { kind: "argument", replaces: true, computed: true },
    description: { kind: "argument", replaces: true },
    expiresAt: { kind: "argument", replaces: true, computed: true, derives: true },
    expiresIn: { kind: "argument", replaces: true },
    rotation: { kind: "argument", replaces: "sometimes" },
    retire: { kind: "argument" },
    adopt: { kind: "argument", parts: { id: "id", token: "secret" } },
    datasetCapabilities: { kind: "argument", replaces: true },
    orgCapabilities: { kind: "argument", replaces: true },
    viewCapabilities: { kind: "argument", replaces: true },
    sealFor: { kind: "argument", replaces: true },
    key: { kind: "hint" },
    chosenName: { kind: "hint" },
    secretInputs: { kind: "hint" },
    token: { kind: "output", computed: true, secret: true },
    sealedToken: { kind: "output", computed: true, derives: "sealFor" },
    fingerprint: { kind: "output", computed: true },
    createdAt: { kind: "output", computed: true },
    rotatesAt: { kind: "derived", computed: true, derives: true },
    record: { kind: "record", plain: [...evidenceMembers, "lost", "drifted", "replaced"] },
  },
  insteadOfImport: "take the token over with the argument adopt: { id }, or look it up with ApiToken.get",
  onImport: "its secret cannot be read again, so token is empty",
});

/** The engine's types of an API token in each of its forms. */
export const apiTokenTypes: readonly string[] = tokensOf(thisPackage, apiTokenDefinition);
