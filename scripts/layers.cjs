// @ts-check
"use strict";

/**
 * The imports that each part of the tree may have besides itself; all others are refused. A part is a folder, or a file without its
 * ending; `*` stands for one folder, `{a,b}` for either name; of several that fit a file the longest counts. `types of X` allows
 * `import type` only, `node:*` all of Node.js.
 *
 * The one source: `.dependency-cruiser.cjs` makes its rules from it, and a test tries every pair that it does not allow.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const layers = {
  // The ground floor: values and their texts. Knows neither the service nor Pulumi.
  values: ["valibot", "node:async_hooks", "node:crypto"],

  // The client. What programs import of it at run time loads no undici: the files and folders that have a line of their own.
  "sdk/queries": ["values", "types of sdk/operations", "valibot"],
  "sdk/operations": [],
  "sdk/textLengths": [],
  "sdk/version": [],
  "sdk/settings": ["sdk/operations", "values"],
  "sdk/tokenFilter": ["values", "types of sdk"],
  sdk: [
    "values",
    "sdk/queries",
    "sdk/operations",
    "sdk/settings",
    "sdk/tokenFilter",
    "sdk/version",
    "node:string_decoder",
    "node:timers/promises",
    "node:util",
    "node:zlib",
    "undici",
    "valibot",
  ],

  // How a resource reaches Pulumi, independent of the service: nothing of `sdk` or `provider`. The files that have a line of their
  // own load neither a lifecycle nor Pulumi, so programs may have them.
  "framework/{definition,identity,package,unknown}": ["types of framework"],
  "framework/engineValues": ["types of framework", "framework/{definition,identity,package,unknown}", "values"],
  "framework/functions": ["types of framework", "framework/{definition,identity,package,unknown}", "values"],
  "framework/{engineWatch,start}": ["values", "node:net"],
  framework: [
    "framework/{definition,identity,package,unknown}",
    "framework/engineValues",
    "values",
    "node:crypto",
    "node:fs",
    "node:os",
    "node:path",
    "node:timers/promises",
  ],
  "framework/program": [
    "framework/{definition,identity,package,unknown}",
    "framework/engineValues",
    "types of framework",
    "values",
    "@pulumi/pulumi",
    "node:module",
    "node:path",
  ],
  "framework/dynamic": [
    "framework",
    "framework/{definition,identity,package,unknown}",
    "framework/engineValues",
    "framework/{engineWatch,start}",
    "@pulumi/pulumi",
  ],
  "framework/native": [
    "framework",
    "framework/{definition,identity,package,unknown}",
    "framework/engineValues",
    "framework/functions",
    "values",
    "@grpc/grpc-js",
    "@pulumi/pulumi",
    "google-protobuf",
  ],

  // The files of nouns that programs import: neither the client nor a lifecycle.
  "provider/strings": ["types of framework/{definition,identity,package,unknown}", "sdk/settings"],
  "provider/*/{args,definition,model,resource}": [
    "framework/{definition,identity,package,unknown}",
    "types of framework",
    "framework/functions",
    "framework/program",
    "provider/account/provider",
    "provider/apiToken/{capabilities,rotation,sealFor}",
    "provider/deploymentAnnotation/complete",
    "provider/strings",
    "types of provider/*",
    "types of provider/deployment",
    "types of provider/seal/recipients",
    "types of sdk",
    "values",
    "@pulumi/pulumi",
  ],
  "provider/account/provider": ["provider/strings", "sdk/settings", "types of sdk", "values", "@pulumi/pulumi"],
  "provider/apiToken/{capabilities,rotation,sealFor}": [
    "types of framework/program",
    "types of provider/*/{args,definition,model,resource}",
    "provider/seal/recipients",
    "types of sdk",
    "values",
    "@pulumi/pulumi",
  ],
  "provider/deploymentAnnotation/complete": ["provider/deployment"],
  "provider/deployment": ["sdk/textLengths", "values", "node:child_process"],
  // Who may be sealed for is told without a library, in programs too; one is loaded to seal or to open.
  "provider/seal/recipients": [],
  "provider/seal": ["provider/seal/recipients", "age-encryption", "libsodium-wrappers"],
  // The data functions: a client and plain values in, plain values out.
  "provider/lookups": [
    "types of framework",
    "types of framework/functions",
    "sdk/queries",
    "sdk/tokenFilter",
    "types of sdk",
    "values",
  ],
  "provider/lookups/programs": [
    "framework/functions",
    "framework/{definition,identity,package,unknown}",
    "framework/program",
    "provider/account/provider",
    "provider/lookups",
    "provider/strings",
    "sdk", // loaded at the first call
    "sdk/queries",
    "sdk/settings",
    "values",
    "@pulumi/pulumi",
  ],

  // The nouns in the process that the engine starts: what a resource does. Neither Pulumi nor HTTP.
  "provider/*": [
    "framework",
    "framework/{definition,identity,package,unknown}",
    "provider/*/{args,definition,model,resource}",
    "provider/account/provider",
    "provider/apiToken/{capabilities,rotation,sealFor}",
    "provider/deploymentAnnotation/complete",
    "provider/seal",
    "provider/seal/recipients",
    "provider/strings",
    "sdk",
    "sdk/operations",
    "sdk/queries",
    "sdk/textLengths",
    "values",
    "node:crypto",
    "node:timers/promises",
  ],

  // The two forms, and the package: the only places that know all nouns.
  "provider/dynamicHost": ["framework", "framework/dynamic", "framework/{engineWatch,start}", "provider/*"],
  "provider/v1": ["framework/dynamic", "framework/{engineWatch,start}", "provider/*", "provider/dynamicHost"],
  "provider/native": [
    "framework",
    "framework/functions",
    "framework/{definition,identity,package,unknown}",
    "framework/{engineWatch,start}",
    "framework/native",
    "provider",
    "provider/*",
    "provider/lookups",
    "provider/strings",
    "schema.json",
    "sdk",
    "sdk/settings",
    "values",
    "@pulumi/pulumi",
  ],
  provider: [
    "provider/lookups",
    "types of framework/{definition,identity,package,unknown}",
    "provider/*/{args,definition,model,resource}",
    "types of provider/*",
    "provider/account/provider",
    "provider/apiToken/{capabilities,rotation,sealFor}",
    "provider/lookups/programs",
    "types of provider/seal/recipients",
    "sdk/queries",
    "values",
    "types of sdk",
    "@pulumi/pulumi",
  ],

  // Compares plain values, by the provider's own comparison and reader of records.
  audit: [
    "framework",
    "framework/{definition,identity,package,unknown}",
    "framework/engineValues",
    "provider/*",
    "provider/*/{args,definition,model,resource}",
    "provider/apiToken/{capabilities,rotation,sealFor}",
    "sdk",
    "values",
    "valibot",
    "node:crypto",
  ],

  // The rules of the audit as a Pulumi policy pack.
  "audit/pack": [
    "audit",
    "framework/{definition,identity,package,unknown}",
    "values",
    "audit/pack/file",
    "@pulumi/policy",
  ],
  // Which policy file applies: one rule for the pack and for the audit's command.
  "audit/pack/file": ["audit", "node:fs", "node:path"],

  cli: [
    "audit",
    "provider/*",
    "provider/deployment",
    "provider/seal",
    "audit/pack/file",
    "sdk",
    "sdk/operations",
    "sdk/settings",
    "sdk/textLengths",
    "sdk/tokenFilter",
    "sdk/version",
    "values",
    "node:*",
  ],

  // The emulator for users' tests.
  testing: ["emulator", "testing/emulatorPackage"],
  "testing/emulatorPackage": ["sdk/version"],

  // The independent witness imports nothing of the above; its query language is a library of its own.
  emulator: ["emulator/apl/index", "emulator/apl/{defined,errors}", "types of emulator/pageResponses", "node:*"],
  // The messages between the emulator's page and its server. The page runs in a browser and is bundled separately.
  "emulator/pageResponses": [],
  "emulator/page": ["types of emulator/pageResponses", "uplot"],
  "emulator/apl/index": ["emulator/apl", "emulator/apl/{defined,errors}"],
  // The emulator's process has these without the language itself, which only the engine's process loads.
  "emulator/apl/{defined,errors}": [],
  "emulator/apl": [
    "emulator/apl/{defined,errors}",
    "@duckdb/node-api",
    "csv-parse",
    "fft.js",
    "ipaddr.js",
    "re2js",
    "node:*",
  ],
};

module.exports = { layers };
