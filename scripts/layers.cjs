// @ts-check
"use strict";

/** The files of the framework that load neither a lifecycle nor Pulumi, so programs may have them. */
const shared = "framework/{compare,definition,drift,identity,package,shapes,unknown}";
/** The files of nouns that programs import: neither the client nor a lifecycle. */
const ofPrograms = "provider/nouns/*/{bounds,definition,resource,rotation}";
/** The files of the client that import nothing. */
const words = "sdk/{foreignText,profiles,version}";

/** The imports of all that calls hooks. */
const adapters = ["framework", shared, "framework/engineLog", "framework/engineValues", "values", "@pulumi/pulumi"];

/**
 * The imports that each part of the tree may have besides itself; all others are refused. A part is a folder, or a file without its
 * ending; `*` stands for one folder, `{a,b}` for either name; of several that fit a file the longest counts. `types of X` allows
 * `import type` only, `node:*` all of Node.js.
 *
 * The one source: `.dependency-cruiser.cjs` makes its rules from it, and a test tries every pair that it does not allow.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const layers = {
  // The ground floor: values. Knows neither the service nor Pulumi.
  values: ["valibot", "node:async_hooks", "node:crypto"],

  // The client. The files and folders of it that have a line of their own are for programs, and load no undici.
  "sdk/queries": [words, "values", "valibot"],
  [words]: [],
  "sdk/resources/*Fields": ["values", "types of sdk", `types of ${words}`],
  "sdk/operations": [words, "sdk/queries", "sdk/resources/*Fields"],
  "sdk/settings": [words, "sdk/operations", "values"],
  "sdk/tokenFilter": ["values", "types of sdk", "types of sdk/resources/*Fields"],
  sdk: [
    "values",
    "sdk/resources/*Fields",
    "sdk/queries",
    words,
    "sdk/operations",
    "sdk/settings",
    "sdk/tokenFilter",
    "node:string_decoder",
    "node:timers/promises",
    "node:util",
    "node:zlib",
    "undici",
    "valibot",
  ],

  // How a resource reaches Pulumi, independent of the service: nothing of `sdk` or `provider`. The files that have a line of their
  // own load neither a lifecycle nor Pulumi, so programs may have them.
  [shared]: ["types of framework", "types of framework/program", "values"],
  "framework/engineValues": ["types of framework", shared, "values"],
  "framework/functions": ["types of framework", shared, "values"],
  "framework/engineWatch": ["values", "node:net"],
  "framework/engineLog": ["types of framework", "@pulumi/pulumi"],
  framework: [
    "types of framework/functions",
    shared,
    "framework/engineValues",
    "values",
    "node:crypto",
    "node:timers/promises",
  ],
  "framework/program": [
    shared,
    "framework/engineValues",
    "types of framework/functions",
    "types of framework",
    "values",
    "@pulumi/pulumi",
    "node:module",
    "node:path",
  ],
  "framework/dynamic": [...adapters, "framework/engineWatch"],
  "framework/native": [...adapters, "framework/engineWatch", "framework/functions", "@grpc/grpc-js", "google-protobuf"],
  // The published forms of a provider: modules, schema and plugin, from one object. Nothing at run time needs it.
  "framework/build": ["types of framework", shared, "values", "esbuild", "node:fs/promises", "node:path", "typescript"],
  // The engine in memory, for tests of providers.
  "framework/testing": [
    ...adapters,
    "framework/dynamic",
    "framework/native",
    "@grpc/grpc-js",
    "google-protobuf",
    "node:crypto",
  ],

  // Judges results of queries: a gate, for a program or for the command line. Programs load its messages, too.
  gate: ["gate/messages", "sdk", words, "sdk/queries", "values"],
  "gate/messages": ["types of sdk", words, "sdk/queries", "values"],

  "provider/shared/strings": [`types of ${shared}`, "sdk/settings"],
  [ofPrograms]: [
    shared,
    "types of framework",
    "framework/functions",
    "framework/program",
    "provider/shared/account/provider",
    "provider/shared/strings",
    "types of gate",
    "types of provider/nouns/*",
    "types of provider/shared",
    "provider/shared/seal/recipients",
    "sdk/resources/*Fields",
    "types of sdk",
    "values",
    "@pulumi/pulumi",
  ],
  "provider/shared/account/provider": ["framework/program", "provider/shared/strings", "types of sdk/settings"],

  // The shared parts of the nouns: the account, the surroundings of a deployment, and secrets for public keys.
  "provider/shared": ["framework", shared, "provider/shared/strings", "sdk", "sdk/operations", "values", "node:events"],
  "provider/shared/deployment": ["sdk/resources/*Fields", "values", "node:child_process"],
  // Who may be sealed for is told without a library, in programs too; one is loaded to seal or to open.
  "provider/shared/seal/recipients": [shared, "values"],
  "provider/shared/seal": ["provider/shared/seal/recipients", "age-encryption", "libsodium-wrappers"],

  "provider/lookups": [
    "gate/messages",
    "types of framework",
    "types of framework/functions",
    "types of provider/shared",
    shared,
    "sdk/queries",
    "sdk/tokenFilter",
    "types of sdk",
    "values",
  ],
  "provider/lookups/programs": [
    "framework/functions",
    "framework/program",
    "provider/lookups",
    "provider/shared/strings",
    "sdk", // loaded at the first call
    "sdk/settings",
    "@pulumi/pulumi",
  ],

  // The nouns in the process that the engine starts: what a resource does. Neither Pulumi nor HTTP.
  "provider/nouns/*": [
    "framework",
    "gate",
    shared,
    ofPrograms,
    "provider/shared",
    "provider/shared/deployment",
    "provider/shared/seal",
    "provider/shared/seal/recipients",
    "sdk",
    "sdk/operations",
    "sdk/queries",
    "sdk/resources/*Fields",
    "values",
    "node:crypto",
  ],

  // The two forms, and the package: the only places that know all nouns.
  "provider/nouns/lifecycles": ["provider/nouns/*"],
  "provider/eventDatasets": [
    "framework",
    `types of ${shared}`,
    "provider",
    "provider/nouns/lifecycles",
    "provider/lookups",
    "provider/shared",
    "provider/shared/strings",
    "sdk",
  ],
  "provider/v1": ["framework/dynamic", "provider/nouns/*"],
  provider: [
    ofPrograms,
    "provider/shared/account/provider",
    "provider/lookups/programs",
    "sdk/queries",
    "values",
    "types of sdk",
    "@pulumi/pulumi",
  ],

  // Compares plain values, by the provider's own comparison and reader of records.
  audit: [
    "framework",
    shared,
    "framework/engineValues",
    "provider/nouns/*",
    ofPrograms,
    "provider/shared",
    "sdk",
    "sdk/tokenFilter",
    "values",
    "valibot",
    "node:crypto",
  ],

  // The rules of the audit as a Pulumi policy pack.
  "audit/pack": ["audit", shared, "values", "audit/pack/file", "@pulumi/policy"],
  // Files that a person or PowerShell wrote.
  "audit/jsonFile": ["node:buffer", "node:fs", "node:zlib"],
  // Which policy file applies: one rule for the pack and for the audit's command.
  "audit/pack/file": ["audit", "audit/jsonFile", "node:fs", "node:path"],

  cli: [
    "audit",
    "gate",
    "provider/nouns/*",
    ofPrograms,
    "provider/shared",
    "provider/shared/deployment",
    "provider/shared/seal",
    "audit/jsonFile",
    "audit/pack/file",
    "sdk",
    words,
    "sdk/resources/*Fields",
    "sdk/settings",
    "sdk/tokenFilter",
    "values",
    "node:*",
  ],

  // The independent witness imports nothing of the above; its query language is a library of its own.
  emulator: [
    "emulator/apl/index",
    "emulator/apl/{defined,errors}",
    "emulator/apl/{folder,time}",
    "types of emulator/pageResponses",
    "node:*",
  ],
  // The messages between the emulator's page and its server. The page runs in a browser and is bundled separately.
  "emulator/pageResponses": [],
  "emulator/page": ["types of emulator/pageResponses", "uplot"],
  "emulator/apl/index": ["emulator/apl", "emulator/apl/{defined,errors}"],
  // The emulator's process has these without the language itself, which only the engine's process loads.
  "emulator/apl/{defined,errors}": [],
  "emulator/apl/{folder,time}": ["emulator/apl/{defined,errors}", "node:*"],
  "emulator/apl": [
    "emulator/apl/{defined,errors}",
    "emulator/apl/{folder,time}",
    "@duckdb/node-api",
    "csv-parse",
    "fft.js",
    "ipaddr.js",
    "re2js",
    "node:*",
  ],
};

module.exports = { layers };
