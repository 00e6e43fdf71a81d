import path from "node:path";
import type { WorkspaceOptions } from "./engine";
import { CHECKOUT } from "./program";

/** The two adapters to the engine. What a test says of both it says once, for each. */
export const forms = ["dynamic", "native"] as const;

export type Form = (typeof forms)[number];

/** The folder of the built plugin, for PATH. */
export const pluginFolder = path.join(CHECKOUT, "dist", "native");

/** The imports of a program: the package, or classes that only register the plugin's types. */
export const moduleOf = (form: Form): string => (form === "dynamic" ? "pulumi-event-datasets" : "./native");

const registration = `import * as pulumi from "@pulumi/pulumi";
const declare = (type: string, outputs: string[], secrets: string[]) =>
  class extends pulumi.CustomResource {
    constructor(name: string, args: object, options: pulumi.CustomResourceOptions = {}) {
      const absent = Object.fromEntries(outputs.map((key) => [key, undefined]));
      super("event-datasets:index:" + type, name, { ...absent, ...args }, { additionalSecretOutputs: secrets, ...options });
    }
    static get(name: string, id: pulumi.Input<string>, options = {}) {
      return new this(name, {}, { ...options, id });
    }
  } as any;
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, { accessToken, ...args }: any) {
    super("event-datasets", name, { ...args, accessToken: pulumi.secret(accessToken) });
  }
}
export const getTokensOutput = (args: pulumi.Inputs) =>
  pulumi.output(pulumi.runtime.invoke("event-datasets:index:getTokens", args)) as any;
const common = ["description", "type", "title", "url", "time"];
export const ApiToken = declare("ApiToken", ["name", "token", "orgCapabilities", "expiresAt"], ["token"]);
export const Annotation = declare("Annotation", ["datasets", ...common], []);
export const DeploymentAnnotation = declare("DeploymentAnnotation", ["annotationId", "recorded"], []);
export const QueryGate = declare("QueryGate", ["value", "attempts", "passedAt"], []);
`;

/**
 * The first lines of a program that declares each resource in both forms: `inBothForms((form, { ApiToken }) => …)`. One command for
 * both takes little more than a command for one.
 */
export const bothForms = `import * as dynamic from "pulumi-event-datasets";
const native: typeof dynamic = require("./native");
const inBothForms = <Declared>(declare: (form: string, classes: typeof dynamic) => Declared): Declared[] =>
  [declare("dynamic", dynamic), declare("native", native)];
`;

/** A workspace for programs of one form, or of both. */
export function inForm<Options extends WorkspaceOptions>(form: Form | "both", options: Options): Options {
  if (form === "dynamic" || typeof options.program === "string") return options;
  const PATH = [pluginFolder, process.env.PATH].join(path.delimiter);
  return { ...options, program: { ...options.program, "native.ts": registration }, env: { PATH, ...options.env } };
}
