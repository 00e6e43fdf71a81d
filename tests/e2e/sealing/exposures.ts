/** The secrets that the engine gets from a program in plain text. A sealed token's secret is none of them. */
export const kinds = {
  token: "Token's secret",
  provider: "`Provider`'s access token",
  config: "Access token in the stack config",
  argument: "Secret argument",
} as const;

export type Kind = keyof typeof kinds;

export interface Exposure {
  /** The switch or the place, in Markdown. */
  readonly place: string;
  /** The kinds of values that it shows to people who cannot decrypt the state. */
  readonly shows: readonly Kind[];
  /** Advice for a user, in Markdown. Empty where nothing shows. */
  readonly advice: string;
  /** The first version of Pulumi that has it, if not every supported version. */
  readonly since?: string;
  /** The first version on which the test can run the row, if that is a later one. */
  readonly runFrom?: string;
}

const program = ["token", "provider", "argument"] as const;
const everything = ["token", "provider", "config", "argument"] as const;
const dropDebug = "Drop the debug messages: `jq 'select(.diagnosticEvent.severity != \"debug\")'`";
const withoutSwitch = "Leave out the switch";
const useEnvironment = "Set the access token in the environment";
const upload = "Never on a machine that keeps or uploads the file";

/** Where the engine shows secrets, and where it could be expected to. Each row is run: tests/e2e/sealing/exposures.test.ts. */
export const exposures = {
  debug: { place: "`--debug`", shows: program, advice: "Never in CI" },
  verbose: { place: "`-v=3` and more, with its log files", shows: program, advice: "Never in CI" },
  json: { place: "`up --json`", shows: program, advice: dropDebug },
  streamedPreview: {
    place: "`preview --json` with `PULUMI_ENABLE_STREAMING_JSON_PREVIEW`",
    shows: program,
    advice: dropDebug,
  },
  eventLog: { place: "`--event-log` (with `PULUMI_DEBUG_COMMANDS`)", shows: program, advice: dropDebug },
  onEvent: {
    place: "`onEvent` of the Automation API",
    shows: program,
    advice: "[Filter the events](guides/nodejs.md#log-events-without-secrets)",
  },
  tracing: { place: "`--tracing`", shows: everything, advice: upload },
  otelTraces: { place: "`--otel-traces`", shows: everything, advice: upload, since: "3.226" },
  grpc: { place: "`PULUMI_DEBUG_GRPC`", shows: everything, advice: upload },
  decryptedLog: {
    place: "`pulumi logs decrypt`",
    shows: everything,
    advice: "It needs the key of the stack. To send a log to somebody else, use `pulumi logs share`",
    since: "3.249",
  },
  policyPack: {
    place: "The code of a policy pack",
    shows: everything,
    advice: "Use only packs that you trust",
    runFrom: "3.255", // before, the engine did not start an executable file as a pack
  },
  shownDiff: { place: "`up --diff --show-secrets`", shows: program, advice: "Never in CI" },
  stackOutput: { place: "`stack output --show-secrets`", shows: ["token"], advice: "Pipe it to its consumer" },
  stack: { place: "`stack --show-secrets`", shows: ["token"], advice: withoutSwitch },
  export: { place: "`stack export --show-secrets`", shows: everything, advice: withoutSwitch },
  stateGet: { place: "`state get --show-secrets`", shows: everything, advice: withoutSwitch, since: "3.257" },
  config: { place: "`config --show-secrets`", shows: ["config"], advice: useEnvironment },
  configGet: { place: "`config get`", shows: ["config"], advice: useEnvironment },
  history: { place: "`stack history --show-secrets`", shows: ["config"], advice: useEnvironment },
  state: { place: "The state, its backups and the history", shows: [], advice: "" },
  plan: { place: "A plan file (`--save-plan`)", shows: [], advice: "" },
  automaticLog: { place: "Automatic logs in `$PULUMI_HOME/logs`", shows: [], advice: "", since: "3.249" },
  preview: { place: "`preview --json`", shows: [], advice: "" },
  plainExport: { place: "`stack export`, `stack history`", shows: [], advice: "" },
} as const satisfies Readonly<Record<string, Exposure>>;

export type ExposureId = keyof typeof exposures;

/** The table as Markdown, and then the places that show nothing. */
export function describeExposures(): string {
  const rows: readonly Exposure[] = Object.values(exposures);
  const headings = ["Switch or place", ...Object.values(kinds), "What to do"];
  const nameOf = ({ place, since }: Exposure) => (since ? `${place}, from ${since}` : place);
  const lines = rows
    .filter(({ shows }) => shows.length > 0)
    .map((row) => {
      const cells = (Object.keys(kinds) as Kind[]).map((kind) => (row.shows.includes(kind) ? "shown" : "–"));
      return [nameOf(row), ...cells, row.advice];
    });
  const table = [headings, headings.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`);
  const silent = rows.filter(({ shows }) => shows.length === 0).map((row) => `- ${nameOf(row)}`);
  return [...table, "", "These places show no secret in plain text:", "", ...silent].join("\n");
}
