import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Configuration } from "../host";
import { readUrn } from "../identity";
import type { Bag, Tell } from "../lifecycle";
import { explicitKey, findArgumentProblems, findUnknownConfig, type ProviderPackage, settingsWith } from "../package";
import { answerCheck, decode, encode, findEdited } from "./properties";

/**
 * Whether this is the engine's own provider of a stack, which takes the stack's config. The engine names it `default` with
 * the parts of the version that it asked for, if any, and the address of a plugin that it is to fetch, as in
 * `default_1_2_3_https_/example.com`. Only the name tells it from an explicit one, which must not be called exactly so.
 */
function isDefault(name: string, { version }: Bag): boolean {
  const [, numbers, label, build] = /^(\d+\.\d+\.\d+)(?:-([^+]+))?(?:\+(.+))?$/.exec(String(version ?? "")) ?? [];
  const parts = [numbers, label, build].flatMap((part) => part?.split(".") ?? []);
  const own = ["default", ...parts].join("_");
  return name.startsWith(own) && /^(_[\w.-]+_(\/[\w.-]+)+)?$/.test(name.slice(own.length));
}

/** Keys that the engine adds to a provider's arguments. */
const engineKeys = ["version", "pluginDownloadURL"];

/** Checks the arguments of an explicit provider, or the stack's config. */
export async function checkConfiguration(
  own: ProviderPackage,
  request: messages.CheckRequest,
  tell: Tell,
): Promise<messages.CheckResponse> {
  const { values, secrets } = decode(request.getNews());
  const { name } = readUrn(request.getUrn());
  const nameKey = explicitKey(own).slice(own.namespace.length + 1);
  const isGiven = (key: string) => key !== nameKey && !engineKeys.includes(key) && !key.startsWith("__");
  const given = Object.fromEntries(Object.entries(values).filter(([key]) => isGiven(key)));
  const secretKeys = [...secrets, ...settingsWith(own, "secret")];
  if (isDefault(name, values)) {
    // Once for each, as a warning: the stack's config may be meant for another version.
    for (const problem of findUnknownConfig(own, Object.keys(given))) await tell.warn(problem);
    return answerCheck(encode(values, secretKeys), []);
  }
  const problems = findArgumentProblems(own, given).map((problem) => `Provider "${name}": ${problem}`);
  return answerCheck(encode({ ...values, [nameKey]: name }, secretKeys), problems);
}

/** A different access token or address is an update of the provider; each lifecycle decides what this means for its objects. */
export function compareConfiguration(request: messages.DiffRequest): messages.DiffResponse {
  const [old, news] = [decode(request.getOldInputs() ?? request.getOlds()), decode(request.getNews())];
  const keys = findEdited(old.values, news.values);
  return new messages.DiffResponse()
    .setChanges(messages.DiffResponse.DiffChanges[keys.length > 0 ? "DIFF_SOME" : "DIFF_NONE"])
    .setDiffsList(keys);
}

/** The configuration as the session reads it. Every setting is a string. */
export function readConfiguration({ namespace }: ProviderPackage, request: messages.ConfigureRequest): Configuration {
  const { values } = decode(request.getArgs());
  return {
    get(key) {
      const value = values[key.slice(namespace.length + 1)];
      return value === undefined || value === null ? undefined : String(value);
    },
  };
}
