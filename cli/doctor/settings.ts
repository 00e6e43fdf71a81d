import { notFoundVariable } from "../../provider/shared/account/account";
import {
  environmentNames,
  fromEnvironment,
  resolveSettings,
  type SettingKey,
  type SettingsResult,
  settingKeys,
} from "../../sdk";
import { isObject } from "../../values/json";
import { findUnknownNames } from "../../values/nearestName";
import type { Io } from "../command";
import { advise, type Check, fail, pass, skip } from "./service";

/** Our variables that are not settings of a connection. */
const otherVariables = [
  "EVENT_DATASETS_DEBUG",
  "EVENT_DATASETS_ROOT_TOKEN",
  "EVENT_DATASETS_POLICY_FILE",
  notFoundVariable,
];

const prefix = "event-datasets:";

/** The settings of this package in the stack config: the value, or a mark for a secret value. */
export type StackConfig = Readonly<Record<string, { readonly value: string | undefined; readonly secret: boolean }>>;

/** The settings of this package in the output of `pulumi config --json`, without the values of secrets. */
export function stackConfigOf(printed: unknown): StackConfig {
  const entries = Object.entries(isObject(printed) ? printed : {}).flatMap(([key, entry]) => {
    if (!key.startsWith(prefix) || !isObject(entry)) return [];
    const secret = entry.secret === true;
    const value = typeof entry.value === "string" && !secret ? entry.value : undefined;
    return [[key.slice(prefix.length), { value, secret }] as const];
  });
  return Object.fromEntries(entries);
}

/** Checks each setting and its source, and reports unknown names. */
export function checkSettings(env: Io["env"], config: StackConfig | undefined): Check[] {
  const result = resolveSettings([fromEnvironment({ ...env })]);
  const failed = reasonsIn(result);
  const refused = problemsOf(env, config);
  const checks = settingKeys.flatMap((key): Check[] => {
    const reason = failed.get(key);
    const here = env[environmentNames[key]];
    const inStack = config?.[key];
    const stack = inStack ? [describeStackSetting(key, inStack, refused.get(key))] : [];
    if (here) {
      const used = reason ? fail(reason) : pass(`${key}: ${describeValue(key, here)} (from ${environmentNames[key]})`);
      // A program uses the environment's too, but the engine records and logs the stack's all the same.
      return key === "accessToken" ? [used, ...stack] : [used];
    }
    if (inStack) return stack;
    const preset = "settings" in result ? result.settings[key] : undefined;
    if (preset !== undefined) return [pass(`${key}: ${preset} (default)`)];
    return reason ? [fail(reason)] : [];
  });
  return [...checks, ...checkNames(env, config)];
}

/** The problems of each setting as a program takes it: from the environment, or else from the stack config. */
function problemsOf(env: Io["env"], config: StackConfig = {}): ReadonlyMap<SettingKey, string> {
  const describe = (key: SettingKey) => `stack config ${prefix}${key}`;
  // The other settings may depend on one that is not shown.
  if (Object.entries(config).some(([key, { secret }]) => secret && key !== "accessToken")) return new Map();
  return reasonsIn(resolveSettings([fromEnvironment({ ...env }), { describe, get: (key) => config[key]?.value }]));
}

const reasonsIn = (result: SettingsResult): ReadonlyMap<SettingKey, string> =>
  new Map("problems" in result ? result.problems.map(({ key, reason }) => [key, reason]) : []);

/** Programs read a stack's config; no command does. An unusable value is not shown: it may be a secret. */
function describeStackSetting(key: SettingKey, { value, secret }: StackConfig[string], reason?: string): Check {
  if (key === "accessToken" && !secret)
    return fail(`accessToken is in plain text in the stack config: pulumi config set --secret ${prefix}${key}`);
  if (value !== undefined && reason !== undefined) return fail(reason);
  const text = secret || value === undefined ? "a secret" : describeValue(key, value);
  const found = `${key}: ${text} (from the stack config): used only by programs, and not tested here`;
  return key === "accessToken" ? advise(`${found}. ${whereItGoes}`) : skip(found);
}

/** Measured with the engine 3.259: the value is an input and an output of the default provider. */
const whereItGoes = [
  "So the state contains it (encrypted), and the engine's logs of -v=11, --tracing and gRPC contain it in plain text.",
  `With ${environmentNames.accessToken} in the environment instead, neither does: set this variable, then run`,
  `pulumi config rm ${prefix}accessToken and pulumi up`,
].join(" ");

const describeValue = (key: SettingKey, value: string): string => (key === "accessToken" ? "set" : value);

/** In the order in which the client reads them. */
const proxyVariables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];

/** Names the proxy that requests go through, without its user name and password. */
export function checkProxy(env: Io["env"]): Check[] {
  const [name = "", address = ""] = proxyVariables.map((one) => [one, env[one]]).find(([, value]) => value) ?? [];
  const host = URL.canParse(address) ? new URL(address).host : "";
  if (host === "") return [];
  return [
    skip(
      `proxy: ${host} (from ${name}): requests go through it, except those to this machine and to the hosts in NO_PROXY`,
    ),
  ];
}

function checkNames(env: Io["env"], config: StackConfig = {}): Check[] {
  const variables = Object.keys(env).filter((name) => name.startsWith("EVENT_DATASETS_"));
  const known = [...Object.values(environmentNames), ...otherVariables];
  return [
    ...findUnknownNames(variables, known, (name) => `variable ${name}`),
    ...findUnknownNames(Object.keys(config), settingKeys, (name) => `stack config ${prefix}${name}`),
  ].map(fail);
}
