import * as pulumi from "@pulumi/pulumi";
import { printMessageAlone } from "../../values/printable";
import type { Lookup } from "../functions";
import { dynamicToken, nativeToken, type ProviderPackage } from "../package";
import type { Inputs } from "./inputs";
import type { ExplicitProvider } from "./providerClass";
import { warnOfUnknownConfig } from "./registration";
import { isMocked } from "./transforms";

/** A data function for arguments that are known. */
export type PlainForm<Args, T> = object extends Args
  ? (args?: Args, options?: pulumi.InvokeOptions) => Promise<T>
  : (args: Args, options?: pulumi.InvokeOptions) => Promise<T>;
/** A data function for arguments that are outputs. It waits for them, for the provider's arguments and for `dependsOn`. */
export type OutputForm<Args, T> = object extends Args
  ? (args?: Inputs<Args>, options?: pulumi.InvokeOutputOptions) => pulumi.Output<T>
  : (args: Inputs<Args>, options?: pulumi.InvokeOutputOptions) => pulumi.Output<T>;

/**
 * Runs a data function in the program itself, without a provider process.
 * @param provider name of the explicit provider, if there is one
 * @param get reads a setting by its name, without the namespace: an argument of the explicit provider, or the stack config
 */
export type RunFunction = (
  lookup: Lookup,
  args: object,
  settings: { readonly provider: string | undefined; readonly get: (key: string) => string | undefined },
  isSecret: boolean,
) => Promise<unknown>;

type Values = Readonly<Record<string, string | undefined>>;

/**
 * Makes the data functions of a program. In a unit test, the function `call` of the mocks is called instead, for example with
 * the token `counters:index:getCounter`.
 * @param run sends the request; it is called again for each call
 */
export function dataFunctions(own: ProviderPackage, run: RunFunction) {
  /** How to call a data function with these options, and the explicit provider's arguments that the call needs. */
  const prepare = (lookup: Lookup, { provider: chosen, parent }: pulumi.InvokeOptions) => {
    const provider = (chosen ?? parent?.getProvider(dynamicToken(own, ""))) as ExplicitProvider | undefined;
    // By shape, not instanceof: a program can load a second copy of the class.
    if (provider && !("connection" in provider)) throw new Error(`option provider: must be a Provider of ${own.npm}`);
    // Not secret, although the access token is in it: that alone makes no result secret.
    const connection: pulumi.Output<Values | undefined> = provider
      ? pulumi.unsecret(provider.connection)
      : pulumi.output(undefined);
    const call = async (values: Values | undefined, args: object, isSecret: boolean): Promise<unknown> => {
      if (isMocked()) {
        const token = nativeToken(own, lookup.name);
        return await pulumi.runtime.invoke(token, args as pulumi.Inputs, provider ? { provider } : {});
      }
      warnOfUnknownConfig(own);
      const config = new pulumi.Config(own.namespace);
      const get = (key: string) => (values ? values[key] : config.get(key));
      return await run(lookup, args, { provider: provider?.logicalName, get }, isSecret);
    };
    return { connection, call: printMessageAlone(call) };
  };

  return {
    plain: <Args extends object, T>(lookup: Lookup<Args, T>): PlainForm<Args, T> =>
      printMessageAlone(async (args: object = {}, options: pulumi.InvokeOptions = {}) => {
        const { connection, call } = prepare(lookup, options);
        // `apply` never runs for a value that a preview does not know; the promise would stay open and the program just end.
        if ((await (connection as { isKnown?: Promise<boolean> }).isKnown) === false) {
          throw new Error(
            "the provider's arguments are not known in this preview: use the Output form of this function",
          );
        }
        return await new Promise((resolve, reject) => {
          connection.apply((values) => call(values, args, false).then(resolve, reject));
        });
      }) as PlainForm<Args, T>,

    output: <Args extends object, T>(lookup: Lookup<Args, T>): OutputForm<Args, T> =>
      printMessageAlone((args: pulumi.Input<object> = {}, options: pulumi.InvokeOutputOptions = {}) => {
        const { connection, call } = prepare(lookup, options);
        const given = pulumi.output(args);
        const sources = pulumi.all([given, connection]);
        return pulumi
          .all([sources, waitForSources(sources, options.dependsOn)])
          .apply(async ([[known, values]]) => call(values, known, await pulumi.isSecret(given)));
      }) as OutputForm<Args, T>,
  };
}

/**
 * Known once everything is there that values come from and that `dependsOn` names, of a component all children. What a
 * preview would have to create first stays unknown, even where a value of it is known already. The SDK waits like that for
 * its own calls, so this makes one, to the engine: it looks up the stack, which is always there.
 */
function waitForSources(
  values: pulumi.Output<unknown>,
  dependsOn: pulumi.InvokeOutputOptions["dependsOn"],
): pulumi.Output<unknown> {
  if (isMocked() || !pulumi.runtime.getStackResource()) return pulumi.output(undefined); // nothing is planned here
  const sources = pulumi.all([values, dependsOn]).apply(([, named]) => [named ?? []].flat() as pulumi.Resource[]);
  // Not the `urn` of the stack resource: a call with it would wait for everything in the stack.
  const urn = pulumi.createUrn(`${pulumi.getProject()}-${pulumi.getStack()}`, "pulumi:pulumi:Stack");
  const found = pulumi.runtime.invokeOutput("pulumi:pulumi:getResource", { urn }, { dependsOn: sources });
  // The answer holds the stack's outputs, which can be secret.
  return pulumi.unsecret(found.apply(() => true));
}
