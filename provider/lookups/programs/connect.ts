import * as pulumi from "@pulumi/pulumi";
import { ask } from "../../../framework/functions";
import { dataFunctions } from "../../../framework/program/functions";
import { requireSettings, type Settings, type SettingsSource } from "../../../sdk/settings";
import { settingsSources, thisPackage } from "../../strings";

/** The data functions of programs, each call with a client of its own. The client loads only here: most programs need none. */
export const { plain, output } = dataFunctions(thisPackage, async (lookup, args, { provider, get }, isSecret) => {
  const sdk = require("../../../sdk") as typeof import("../../../sdk");
  const found = findSettings(settingsSources(provider, get));
  await using client = sdk.EventDatasets.fromSettings(found, { inform: (line) => void pulumi.log.info(line) });
  return await ask(lookup, { client }, args, { isSecret, warn: (message) => pulumi.log.warn(message) });
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
