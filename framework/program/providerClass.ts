import * as pulumi from "@pulumi/pulumi";
import { makePrintable } from "../../values/printable";
import type { Bag } from "../lifecycle";
import { explicitKey, findArgumentProblems, type ProviderPackage } from "../package";

/** An explicit provider, for resources and for data functions. */
export interface ExplicitProvider extends pulumi.ProviderResource {
  /** @internal The arguments, for the data functions: they run in the program, where no provider process helps them. */
  readonly connection: pulumi.Output<Readonly<Record<string, string | undefined>>>;
  /** @internal */
  readonly logicalName: string;
}

/** The class of an explicit provider of the dynamic form. */
export function providerClass<Args extends object>(own: ProviderPackage) {
  class Explicit extends pulumi.ProviderResource implements ExplicitProvider {
    readonly connection: ExplicitProvider["connection"];
    readonly logicalName: string;

    constructor(name: string, args: Args, options: pulumi.ResourceOptions = {}) {
      const problems = findArgumentProblems(own, args);
      if (problems.length > 0) throw makePrintable(new Error(`Provider "${name}": ${problems.join("; ")}`));
      const entries = Object.keys(own.settings).map((key) => {
        const text = asText((args as Bag)[key] as pulumi.Input<string | boolean | null>);
        return [key, own.settings[key]?.secret ? pulumi.secret(text) : text] as const;
      });
      const named = entries.map(([key, value]) => [`${own.namespace}:${key}`, value]);
      try {
        super("pulumi-nodejs", name, { [explicitKey(own)]: name, ...Object.fromEntries(named) }, options);
      } catch (failure) {
        throw makePrintable(failure);
      }
      this.connection = pulumi.output(Object.fromEntries(entries));
      this.logicalName = name;
    }
  }
  return Explicit as new (
    name: string,
    args: Args,
    options?: pulumi.ResourceOptions,
  ) => ExplicitProvider;
}

/** An argument as the text that all settings are. */
const asText = (value: pulumi.Input<string | boolean | null | undefined>): pulumi.Input<string | undefined> =>
  pulumi.output(value).apply((known) => (known === undefined || known === null ? undefined : String(known)));
