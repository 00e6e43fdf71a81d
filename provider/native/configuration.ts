import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { asJson, isSame } from "../../framework/compare";
import type { Configuration } from "../../framework/host";
import type { Bag, Tell } from "../../framework/lifecycle";
import { decode, encode } from "../../framework/native/values";
import { unknownSettings } from "../../sdk/settings";
import { configNamespace, explicitProviderKey } from "../strings";

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

/** The input that marks an explicit provider's arguments, and holds its name. */
const nameKey = explicitProviderKey.slice(configNamespace.length + 1);

/** Checks the arguments of an explicit provider, or the stack's config. */
export async function checkConfiguration(request: messages.CheckRequest, tell: Tell): Promise<messages.CheckResponse> {
  const { values, secrets } = decode(request.getNews());
  const name = request.getUrn().split("::").slice(3).join("::");
  const given = Object.entries(values).filter(([key]) => !engineKeys.includes(key) && !key.startsWith("__"));
  const isExplicit = !isDefault(name, values);
  const unknownKeys = given.map(([key]) => key).filter((key) => key !== nameKey);
  const response = new messages.CheckResponse();
  if (!isExplicit) {
    // Once for each, as a warning: the stack's config may be meant for another version.
    for (const problem of unknownSettings(unknownKeys, (key) => `stack config ${configNamespace}:${key}`)) {
      await tell.warn(problem);
    }
    return response.setInputs(encode(values, [...secrets, "accessToken"]));
  }
  const problems = [
    ...["baseUrl", "accessToken"].filter((key) => !values[key]).map((key) => `argument ${key} is missing or empty`),
    ...unknownSettings(unknownKeys, (key) => `argument ${key}`),
  ];
  return response
    .setInputs(encode({ ...values, [nameKey]: name }, [...secrets, "accessToken"]))
    .setFailuresList(problems.map((reason) => new messages.CheckFailure().setReason(`Provider "${name}": ${reason}`)));
}

/** Another credential or address is an update of the provider; each lifecycle says what it means for its objects. */
export function compareConfiguration(request: messages.DiffRequest): messages.DiffResponse {
  const [old, news] = [decode(request.getOldInputs() ?? request.getOlds()), decode(request.getNews())];
  const keys = [...new Set([...Object.keys(old.values), ...Object.keys(news.values)])].filter(
    (key) => !isSame(asJson, old.values[key], news.values[key]),
  );
  return new messages.DiffResponse()
    .setChanges(messages.DiffResponse.DiffChanges[keys.length > 0 ? "DIFF_SOME" : "DIFF_NONE"])
    .setDiffsList(keys);
}

/** The configuration as the session reads it. Every setting is a text. */
export function readConfiguration(request: messages.ConfigureRequest): Configuration {
  const { values } = decode(request.getArgs());
  return { get: (key) => textOf(values, key.slice(configNamespace.length + 1)) };
}

function textOf(values: Bag, key: string): string | undefined {
  const value = values[key];
  return value === undefined || value === null ? undefined : String(value);
}
