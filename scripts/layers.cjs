// @ts-check
"use strict";

/**
 * What each part of the tree may import besides itself; anything else is refused. A part is a folder, or a file without its
 * ending; of several that fit a file the longest counts. `types of X` allows `import type` only, `node:*` all of Node.js.
 *
 * The one source: `.dependency-cruiser.cjs` makes its rules from it, and a test tries every pair that it does not allow.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const layers = {
  // The client. What programs import of it at run time loads no undici: the files and folders that have a line of their own.
  "sdk/values": ["valibot"],
  "sdk/queries": ["sdk/values", "types of sdk/operations", "valibot"],
  "sdk/operations": [],
  "sdk/settings": ["sdk/operations", "sdk/values"],
  "sdk/nodeVersion": [],
  "sdk/tokenFilter": ["sdk/values", "types of sdk"],
  sdk: [
    "sdk/nodeVersion",
    "sdk/values",
    "sdk/queries",
    "sdk/operations",
    "sdk/settings",
    "sdk/tokenFilter",
    "node:string_decoder",
    "node:timers/promises",
    "undici",
    "valibot",
  ],

  // What a resource does: a client and plain values in, plain values out. Neither Pulumi nor HTTP; no noun knows another.
  "provider/lifecycle": ["sdk", "sdk/values", "node:crypto"],
  "provider/lifecycle/token": [
    "provider/lifecycle",
    "provider/lifecycle/seal",
    "provider/lifecycle/seal/recipients",
    "provider/lifecycle/token/rotation",
    "sdk",
    "sdk/operations",
    "sdk/values",
    "node:crypto",
  ],
  "provider/lifecycle/token/rotation": ["sdk/values"],
  // Loads a library only when it seals or opens; who may be sealed for is told without one, in programs too.
  "provider/lifecycle/seal/recipients": [],
  "provider/lifecycle/seal": ["provider/lifecycle/seal/recipients", "age-encryption", "libsodium-wrappers"],
  "provider/lifecycle/annotation": ["provider/lifecycle", "sdk", "sdk/values", "node:crypto"],
  "provider/lifecycle/gate": ["provider/lifecycle", "sdk", "sdk/values", "node:crypto"],

  // Settings to client, for every adapter: knows no Pulumi. What programs import of it loads no undici.
  "provider/session/settings": ["sdk/settings", "provider/dynamic/strings"],
  "provider/session": [
    "provider/session/settings",
    "provider/dynamic/strings",
    "provider/lifecycle",
    "sdk",
    "sdk/values",
    "node:crypto",
    "node:fs",
    "node:os",
    "node:path",
    "node:timers/promises",
  ],
  // What ends a process that no engine needs any more, and one of a Node.js that is too old: without the rest.
  "provider/session/start": ["provider/session/engineWatch", "sdk/nodeVersion"],
  "provider/session/engineWatch": ["provider/session/engineAddress", "node:net"],
  "provider/session/engineAddress": [],

  // The data functions, for every adapter: a client and plain values in, plain values out.
  "provider/lookups": ["sdk/queries", "sdk/tokenFilter", "sdk/values", "types of sdk"],

  // The adapter to the engine's host only translates.
  "provider/dynamic/strings": [],
  "provider/dynamic": [
    "provider/dynamic/strings",
    "provider/lifecycle",
    "provider/session",
    "provider/session/engineAddress",
    "@pulumi/pulumi",
  ],
  "provider/dynamic/v1": [
    "provider/dynamic",
    "provider/session/start",
    "provider/lifecycle/token",
    "provider/lifecycle/annotation",
    "provider/lifecycle/gate",
  ],

  // The adapter to the engine itself, for programs in every language: only translates, too. Bundled into one file.
  "provider/native": [
    "provider/deployment",
    "provider/dynamic/strings",
    "provider/lifecycle",
    "provider/lifecycle/token",
    "provider/lifecycle/annotation",
    "provider/lifecycle/gate",
    "provider/lookups",
    "provider/session",
    "provider/session/engineAddress",
    "provider/session/engineWatch",
    "schema.json",
    "sdk",
    "sdk/nodeVersion",
    "sdk/settings",
    "sdk/values",
    "@grpc/grpc-js",
    "@pulumi/pulumi",
    "google-protobuf",
    "node:crypto",
  ],

  // What programs import: of the lifecycles only the arithmetic of a rotation.
  "provider/resources": [
    "provider/dynamic/strings",
    "provider/lifecycle/seal/recipients",
    "provider/lifecycle/token/rotation",
    "types of provider/lifecycle/token",
    "types of provider/lifecycle/annotation",
    "types of provider/lifecycle/gate",
    "sdk/nodeVersion",
    "sdk/settings",
    "sdk/values",
    "types of sdk",
    "@pulumi/pulumi",
    "node:crypto",
    "node:module",
    "node:path",
  ],
  "provider/functions": [
    "provider/functions/connect",
    "provider/lookups",
    "provider/resources",
    "sdk/queries",
    "sdk/values",
    "types of sdk",
    "@pulumi/pulumi",
  ],
  "provider/functions/connect": [
    "provider/dynamic/strings",
    "provider/functions",
    "provider/lookups",
    "provider/resources",
    "provider/session/settings",
    "sdk", // loaded at the first call
    "sdk/settings",
    "sdk/values",
    "@pulumi/pulumi",
  ],
  "provider/components": [
    "provider/lookups",
    "provider/deployment",
    "provider/dynamic/strings",
    "provider/resources",
    "sdk/values",
    "types of sdk",
    "@pulumi/pulumi",
  ],
  "provider/deployment": ["sdk/values", "node:child_process"],
  provider: [
    "provider/components",
    "provider/functions",
    "provider/resources",
    "sdk/nodeVersion",
    "sdk/values",
    "types of sdk",
    "@pulumi/pulumi",
  ],

  // Compares plain values, by the provider's own comparison.
  audit: [
    "provider/dynamic/strings",
    "provider/lifecycle",
    "provider/lifecycle/token",
    "provider/lifecycle/token/rotation",
    "sdk",
    "sdk/values",
    "valibot",
    "node:crypto",
  ],

  // The rules of the audit as a Pulumi policy pack.
  policy: ["audit", "provider/lifecycle", "sdk/values", "@pulumi/policy", "node:fs", "node:path"],

  cli: [
    "audit",
    "emulator",
    "provider/deployment",
    "provider/lifecycle/annotation",
    "provider/lifecycle/seal",
    "provider/session/engineAddress",
    "provider/session/engineWatch",
    "sdk",
    "sdk/nodeVersion",
    "sdk/values",
    "node:*",
  ],

  // The emulator for users' tests.
  testing: ["emulator", "node:fs/promises", "node:os", "node:path"],

  // The independent witness imports nothing of the above; its query language is a library of its own.
  emulator: ["emulator/apl/index", "types of emulator/pageAnswers", "node:*"],
  // What the emulator's page and its server say to each other. The page runs in a browser and is bundled by itself.
  "emulator/pageAnswers": [],
  "emulator/page": ["types of emulator/pageAnswers", "uplot"],
  "emulator/apl/index": ["emulator/apl"],
  "emulator/apl": ["@duckdb/node-api", "node:*"],
};

module.exports = { layers };
