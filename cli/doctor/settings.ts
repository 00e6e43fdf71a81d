import {
  environmentNames,
  fromEnvironment,
  resolveSettings,
  type SettingKey,
  settingKeys,
  unknownSettings,
} from "../../sdk";
import { isObject } from "../../sdk/values/json";
import { suggestName } from "../../sdk/values/nearestName";
import type { Io } from "../command";
import { type Check, ok, problem, unknown } from "./check";

/** Variables of ours that are no settings of a connection. */
const otherVariables = ["EVENT_DATASETS_DEBUG", "EVENT_DATASETS_ROOT_TOKEN", "EVENT_DATASETS_POLICY_FILE"];

const prefix = "event-datasets:";

/** What the stack's config holds of ours: a value, or that there is one that is secret. */
export type StackConfig = Readonly<Record<string, { readonly value: string | undefined; readonly secret: boolean }>>;

/** The part that is ours of what `pulumi config --json` prints: without the values of secrets. */
export function stackConfigOf(printed: unknown): StackConfig {
  const entries = isObject(printed) ? Object.entries(printed) : [];
  return Object.fromEntries(
    entries
      .filter(([key, entry]) => key.startsWith(prefix) && isObject(entry))
      .map(([key, entry]) => {
        const { value, secret } = entry as { value?: unknown; secret?: unknown };
        const text = typeof value === "string" && secret !== true ? value : undefined;
        return [key.slice(prefix.length), { value: text, secret: secret === true }];
      }),
  );
}

/** Each setting with where it came from, what is wrong with one, and names that nobody reads. */
export function checkSettings(env: Io["env"], config: StackConfig | undefined): Check[] {
  const result = resolveSettings([fromEnvironment({ ...env })]);
  const failed = new Map("problems" in result ? result.problems.map(({ key, reason }) => [key, reason]) : []);
  const refused = problemsOf(config);
  const checks = settingKeys.flatMap((key): Check[] => {
    const reason = failed.get(key);
    const here = env[environmentNames[key]];
    if (here) return [reason ? problem(reason) : ok(`${key}: ${shown(key, here)}, of ${environmentNames[key]}`)];
    const inStack = config?.[key];
    if (inStack) return [describeStackSetting(key, inStack, refused.get(key))];
    const preset = "settings" in result ? result.settings[key] : undefined;
    if (preset !== undefined) return [ok(`${key}: ${preset}, the default`)];
    return reason ? [problem(reason)] : [];
  });
  return [...checks, ...checkNames(env, config)];
}

/** What is wrong with each setting of a stack's config by itself. */
function problemsOf(config: StackConfig = {}): ReadonlyMap<SettingKey, string> {
  const describe = (key: SettingKey) => `stack config ${prefix}${key}`;
  const result = resolveSettings([{ describe, get: (key) => config[key]?.value }]);
  return new Map("problems" in result ? result.problems.map(({ key, reason }) => [key, reason]) : []);
}

/** A stack's config is what programs are set by; no command reads it. What cannot be used is not shown: it may be a secret. */
function describeStackSetting(key: SettingKey, { value, secret }: StackConfig[string], reason?: string): Check {
  if (key === "accessToken" && !secret)
    return problem(`accessToken is in plain text in the stack config: pulumi config set --secret ${prefix}${key}`);
  if (value !== undefined && reason !== undefined) return problem(reason);
  const text = secret || value === undefined ? "a secret" : shown(key, value);
  return unknown(`${key}: ${text}, of the stack config: for programs only, and not tried here`);
}

const shown = (key: SettingKey, value: string): string => (key === "accessToken" ? "set" : value);

function checkNames(env: Io["env"], config: StackConfig = {}): Check[] {
  const known: readonly string[] = [...Object.values(environmentNames), ...otherVariables];
  const strange = Object.keys(env).filter((name) => name.startsWith("EVENT_DATASETS_") && !known.includes(name));
  return [
    ...strange.map((name) => problem(`variable ${name} is not known${suggestName(name, known)}`)),
    ...unknownSettings(Object.keys(config), (name) => `stack config ${prefix}${name}`).map(problem),
  ];
}
