import * as pulumi from "@pulumi/pulumi";
import { ask, type Lookup } from "../../../framework/functions";
import { dynamicToken, nativeToken } from "../../../framework/package";
import type { Inputs } from "../../../framework/program/inputs";
import type { ExplicitProvider } from "../../../framework/program/providerClass";
import { warnOfUnknownConfig } from "../../../framework/program/registration";
import type { EventDatasets } from "../../../sdk";
import { requireSettings, type SettingKey, type Settings, type SettingsSource } from "../../../sdk/settings";
import { withPrintableFailures } from "../../../values/printable";
import { settingsSources, thisPackage } from "../../strings";

type ConnectionOptions = Pick<pulumi.InvokeOptions, "provider" | "parent">;

/** By shape, not instanceof: a program can load a second copy of the class. */
const isOurs = (provider: pulumi.ProviderResource): provider is ExplicitProvider => "connection" in provider;

function findProvider({ provider, parent }: ConnectionOptions): ExplicitProvider | undefined {
  const chosen = provider ?? parent?.getProvider(dynamicToken(thisPackage, "ApiToken"));
  if (chosen && !isOurs(chosen)) throw new Error("option provider: must be a Provider of pulumi-event-datasets");
  return chosen;
}

/** The arguments of the explicit provider, if there is one; a provider's arguments can be outputs of other resources. */
function readArguments(provider: ExplicitProvider | undefined): pulumi.Output<Arguments | undefined> {
  if (!provider) return pulumi.output(undefined);
  // Not secret, although the access token is in it: that alone makes no result secret.
  return pulumi.unsecret(provider.connection);
}

type Arguments = Partial<Record<SettingKey, string | undefined>>;

/**
 * Whether the program runs in a unit test, under `pulumi.runtime.setMocks`. By the shape of the monitor: the SDK does not
 * tell.
 */
const isMocked = (): boolean => "mocks" in (pulumi.runtime.getMonitor() ?? {});

/**
 * Runs a data function with a client of its own; in a unit test its mock is called instead, as
 * `event-datasets:index:getTokens`. Loads the client only here: a program without data functions needs none.
 */
const run = withPrintableFailures(async function run<Args extends object, T>(
  lookup: Lookup<Args, T, EventDatasets>,
  provider: ExplicitProvider | undefined,
  settings: Arguments | undefined,
  args: Args,
  isSecret = false,
): Promise<T> {
  if (isMocked()) {
    const options = provider ? { provider } : {};
    return await pulumi.runtime.invoke(nativeToken(thisPackage, lookup.name), args as pulumi.Inputs, options);
  }
  warnOfUnknownConfig(thisPackage);
  const config = settings ? undefined : new pulumi.Config(thisPackage.namespace);
  const get = (key: SettingKey) => (settings ? settings[key] : config?.get(key));
  const sdk = require("../../../sdk") as typeof import("../../../sdk");
  const found = findSettings(settingsSources(provider?.logicalName, get));
  await using client = sdk.EventDatasets.fromSettings(found, { inform: (line) => void pulumi.log.info(line) });
  return await ask(lookup, client, args, { isSecret, warn: (message) => pulumi.log.warn(message) });
});

/**
 * Whether the program runs within its user's own process, as an inline program of the Automation API, and not in one that
 * the engine's language host started.
 */
const isInline = (): boolean => !/[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run/.test(process.argv[1] ?? "");

/** The settings; in an inline program a missing one is easily one that was given to the wrong process. */
function findSettings(sources: readonly SettingsSource[]): Settings {
  try {
    return requireSettings(sources);
  } catch (failure) {
    if (!isInline()) throw failure;
    const hint = "The envVars of a workspace reach the provider, but no function of an inline program:";
    const { message } = failure as Error;
    throw new Error(`${message}. ${hint} set them in process.env too, or in the stack's config`, { cause: failure });
  }
}

/** The plain form of a data function. */
export async function invoke<Args extends object, T>(
  called: Lookup<Args, T, EventDatasets>,
  args: Args,
  options: ConnectionOptions,
): Promise<T> {
  const provider = findProvider(options);
  const settings = readArguments(provider);
  // `apply` never runs for a value that a preview does not know; the promise would stay open and the program just end.
  if ((await (settings as { isKnown?: Promise<boolean> }).isKnown) === false) {
    throw new Error("the provider's arguments are not known in this preview: use the Output form of this function");
  }
  return await new Promise<T>((resolve, reject) => {
    settings.apply((known) => run(called, provider, known, args).then(resolve, reject));
  });
}

/** The Output form: waits for `args`, the provider's arguments and `dependsOn`, and is secret if `args` are. */
export function invokeOutput<Args extends object, T>(
  called: Lookup<Args, T, EventDatasets>,
  args: Inputs<Args>,
  options: pulumi.InvokeOutputOptions,
): pulumi.Output<T> {
  const provider = findProvider(options);
  const given = pulumi.output(args);
  const values = pulumi.all([given, readArguments(provider)]);
  return pulumi
    .all([values, waitForSources(values, options.dependsOn)])
    .apply(async ([[known, settings]]) =>
      run(called, provider, settings, known as Args, await pulumi.isSecret(given)),
    ) as pulumi.Output<T>;
}

/** A data function for arguments that are known, and for arguments that are outputs. */
export type PlainForm<Args, T> = (args: Args, options?: pulumi.InvokeOptions) => Promise<T>;
export type OutputForm<Args, T> = (args: Inputs<Args>, options?: pulumi.InvokeOutputOptions) => pulumi.Output<T>;

export const plainForm = <Args extends object, T>(called: Lookup<Args, T, EventDatasets>): PlainForm<Args, T> =>
  withPrintableFailures((args, options = {}) => invoke(called, args, options));

export const outputForm = <Args extends object, T>(called: Lookup<Args, T, EventDatasets>): OutputForm<Args, T> =>
  withPrintableFailures((args, options = {}) => invokeOutput(called, args, options));

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
  // Not the stack resource's own `urn`: a call that took it would wait for everything in the stack.
  const urn = pulumi.createUrn(`${pulumi.getProject()}-${pulumi.getStack()}`, "pulumi:pulumi:Stack");
  const found = pulumi.runtime.invokeOutput("pulumi:pulumi:getResource", { urn }, { dependsOn: sources });
  // The answer holds the stack's outputs, which can be secret.
  return pulumi.unsecret(found.apply(() => true));
}
