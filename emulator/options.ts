import { type ParseArgsConfig, parseArgs } from "node:util";
import type { DatasetFile, EmulatorOptions } from "./emulator";
import { type Profile, profiles } from "./profiles";

/** The environment variable for the root token. */
export const rootTokenVariable = "EVENT_DATASETS_ROOT_TOKEN";

const flags = {
  data: {
    type: "string",
    value: "folder",
    default: ".event-datasets",
    help: "the folder for the data, which contains the secrets of tokens only as hashes",
  },
  port: { type: "string", value: "number", default: "7380", help: "the port; 0 takes any free port" },
  "root-token": {
    type: "string",
    value: "token",
    help: `the token that may do everything (default: a new random one). Other users of this machine can see the options of a process, so prefer the variable ${rootTokenVariable}`,
  },
  profile: {
    type: "string",
    value: "name",
    default: "documented",
    help: "extended: everything that Axiom's API has; documented: cannot revoke tokens, set an overlap or read annotations",
  },
  dataset: {
    type: "string",
    value: "name=file",
    multiple: true,
    help: "a dataset with the events of a file (NDJSON, a JSON array, or CSV if its name ends in .csv or .tsv), unless the data folder has the dataset already; repeatable",
  },
  sample: {
    type: "boolean",
    help: "a dataset named web, with sample events: requests of the last hour, some of them errors",
  },
  "time-field": {
    type: "string",
    value: "name",
    help: "the field of the files of --dataset that contains an event's time (default: _time; an event without this field gets the time of loading)",
  },
  "query-timeout": {
    type: "string",
    value: "seconds",
    default: "30",
    help: "stops a query or an ingest that takes longer, and responds with 422",
  },
  "rate-limit": {
    type: "string",
    value: "n",
    help: "responds with 429 to more than n requests a minute (default: a million in the extended profile, no limit in the documented one)",
  },
} as const satisfies NonNullable<ParseArgsConfig["options"]> & Record<string, { value?: string; help: string }>;

/** Breaks a text into lines of at most 80 characters. */
export const wrapText = (text: string, indent = ""): string =>
  indent + text.replaceAll(new RegExp(`(.{1,${80 - indent.length}})(?: |$)`, "g"), `$1\n${indent}`).trimEnd();

/** The options as `--help` shows them. */
export const optionsHelp = Object.entries(flags).map(([flag, spec]) => {
  const value = "value" in spec ? ` <${spec.value}>` : "";
  const preset = "default" in spec ? ` (default: ${spec.default})` : "";
  return `  --${flag}${value}\n${wrapText(`${spec.help}${preset}`, "      ")}`;
});

/**
 * The options of a command line; undefined for `--help`.
 * @throws Error that names the option to change
 */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv) {
  const { values } = parseArgs({
    args: [...args],
    options: { help: { type: "boolean", short: "h" }, ...flags },
  });
  if (values.help) return undefined;
  const rootToken = values["root-token"] ?? (env[rootTokenVariable] || undefined);
  if (rootToken !== undefined && !/^[\x21-\x7e]+$/.test(rootToken))
    throw new Error(`--root-token (or ${rootTokenVariable}): must be printable ASCII without spaces`);
  const limit = values["rate-limit"];
  return {
    dataDir: values.data,
    port: numberOf("port", values.port),
    rootToken,
    profile: profileOf(values.profile),
    datasets: (values.dataset ?? []).map(fileOf),
    sample: values.sample ?? false,
    timeField: values["time-field"],
    queryTimeoutMs: Math.ceil(numberOf("query-timeout", values["query-timeout"]) * 1000),
    rateLimit: limit === undefined ? undefined : { requests: numberOf("rate-limit", limit) },
  } satisfies EmulatorOptions;
}

/** The options that are numbers. The timers of Node.js allow at most 24 days. */
const numbers = {
  port: { form: /^\d{1,5}$/, most: 65_535, must: "be a whole number from 0 to 65535" },
  "query-timeout": {
    form: /^(?=.*[1-9])\d{1,5}(\.\d{1,3})?$/,
    most: 86_400,
    must: "be a number of seconds, more than 0 and at most 86400",
  },
  "rate-limit": { form: /^[1-9]\d{0,8}$/, most: 999_999_999, must: "be a whole number from 1" },
} as const satisfies Partial<Record<keyof typeof flags, object>>;

function numberOf(flag: keyof typeof numbers, text: string): number {
  const { form, most, must } = numbers[flag];
  if (!form.test(text) || Number(text) > most) throw new Error(`--${flag}: must ${must}`);
  return Number(text);
}

function fileOf(text: string): DatasetFile {
  const [, name, file] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (!name || !file) throw new Error("--dataset: must be <name>=<file>");
  return { name, file };
}

function profileOf(text: string): Profile {
  const profile = profiles.find((name) => name === text);
  if (!profile) throw new Error(`--profile: must be one of ${profiles.join(", ")}`);
  return profile;
}
