import * as pulumi from "@pulumi/pulumi";
import type { EventDatasets } from "../../sdk";
import { requireSettings, type SettingKey } from "../../sdk/settings";
import { configNamespace, typeToken } from "../dynamic/strings";
import type { Provider } from "../resources/provider";
import { settingsSources } from "../session/settings";
import { printable } from "./printable";

/** What the options of a data function say about the connection. */
type ConnectionOptions = Pick<pulumi.InvokeOptions, "provider" | "parent">;

/** By shape, not instanceof: a program can load a second copy of the class. */
const isOurs = (provider: pulumi.ProviderResource): provider is Provider => "connection" in provider;

function explicitProvider({ provider, parent }: ConnectionOptions): Provider | undefined {
  const chosen = provider ?? parent?.getProvider(typeToken("ApiToken"));
  if (chosen && !isOurs(chosen)) throw new Error("option provider: must be a Provider of pulumi-event-datasets");
  return chosen;
}

/** The arguments of the explicit provider, if there is one; a provider's arguments can be outputs of other resources. */
function providerArguments(provider: Provider | undefined): pulumi.Output<Arguments | undefined> {
  if (!provider) return pulumi.output(undefined);
  // Not secret, although the credential is in it: what is queried with a credential is not secret for that.
  return pulumi.unsecret(provider.connection);
}

type Arguments = Partial<Record<SettingKey, string | undefined>>;

/** Runs a query with a client of its own. Loads the client only here: a program without data functions needs none. */
async function run<T>(
  provider: Provider | undefined,
  args: Arguments | undefined,
  query: (client: EventDatasets) => Promise<T>,
): Promise<T> {
  try {
    const config = args ? undefined : new pulumi.Config(configNamespace);
    const settings = requireSettings(
      settingsSources(provider?.logicalName, (key) => (args ? args[key] : config?.get(key))),
    );
    const sdk = require("../../sdk") as typeof import("../../sdk");
    await using client = sdk.EventDatasets.fromSettings(settings, { inform: (line) => void pulumi.log.info(line) });
    return await query(client);
  } catch (failure) {
    throw printable(failure as Error);
  }
}

/** The plain form of a data function. */
export async function invoke<T>(options: ConnectionOptions, query: (client: EventDatasets) => Promise<T>): Promise<T> {
  const provider = explicitProvider(options);
  const args = providerArguments(provider);
  // `apply` never runs for a value that a preview does not know; the promise would stay open and the program just end.
  if ((await (args as { isKnown?: Promise<boolean> }).isKnown) === false) {
    throw new Error("the provider's arguments are not known in this preview: use the Output form of this function");
  }
  return await new Promise<T>((resolve, reject) => {
    args.apply((known) => run(provider, known, query).then(resolve, reject));
  });
}

/** The arguments of a data function's Output form. */
export type InputsOf<Args> = pulumi.Input<{ readonly [Key in keyof Args]: pulumi.Input<Args[Key]> }>;

/** The Output form: waits for `args`, the provider's arguments and `dependsOn`, and is secret if `args` are. */
export function invokeOutput<Args, T>(
  args: InputsOf<Args>,
  options: pulumi.InvokeOutputOptions,
  query: (client: EventDatasets, args: Args) => Promise<T>,
): pulumi.Output<T> {
  const provider = explicitProvider(options);
  const values = pulumi.all([pulumi.output(args), providerArguments(provider)]);
  return pulumi
    .all([values, arrival(values, options.dependsOn)])
    .apply(([[known, connection]]) =>
      run(provider, connection, (client) => query(client, known as Args)),
    ) as pulumi.Output<T>;
}

/**
 * Known once everything is there that values come from and that `dependsOn` names, of a component all children. What a
 * preview would have to create first stays unknown, even where a value of it is known already. The SDK waits like that for
 * its own calls, so this makes one, to the engine: it looks up the stack, which is always there.
 */
function arrival(
  values: pulumi.Output<unknown>,
  dependsOn: pulumi.InvokeOutputOptions["dependsOn"],
): pulumi.Output<unknown> {
  if (!pulumi.runtime.getStackResource()) return pulumi.output(undefined); // a unit test with mocks: nothing is planned
  const sources = pulumi.all([values, dependsOn]).apply(([, named]) => [named ?? []].flat() as pulumi.Resource[]);
  // Not the stack resource's own `urn`: a call that took it would wait for everything in the stack.
  const urn = pulumi.createUrn(`${pulumi.getProject()}-${pulumi.getStack()}`, "pulumi:pulumi:Stack");
  const found = pulumi.runtime.invokeOutput("pulumi:pulumi:getResource", { urn }, { dependsOn: sources });
  // The answer holds the stack's outputs, which can be secret.
  return pulumi.unsecret(found.apply(() => true));
}
