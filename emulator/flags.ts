/** The environment variable for the root token. */
export const rootTokenVariable = "EVENT_DATASETS_ROOT_TOKEN";

/** The options of `serve`, for the emulator's own command and for other commands that start it. */
export const serveFlags = {
  data: {
    value: "folder",
    preset: ".event-datasets",
    names: "folder",
    help: "the folder of its data; it stores only hashes of secrets",
  },
  port: { value: "number", preset: "7380", help: "0 takes any free port" },
  "root-token": {
    value: "token",
    help: `the token that may do everything (default: a new random one). Other users of this machine can see the options of a process, so prefer the variable ${rootTokenVariable}`,
  },
  profile: {
    value: "name",
    preset: "documented",
    values: ["documented", "extended"],
    help: "documented, or extended: what the public service offers beyond the documented interface",
  },
  dataset: {
    value: "name=file",
    multiple: true,
    help: "a dataset with the events of a file (NDJSON, a JSON array, CSV or Parquet), unless the data folder has the dataset already; repeatable",
  },
  sample: { help: "a dataset web with sample events: requests of the last hour, some of them errors" },
  "time-field": {
    value: "name",
    help: "the field of these files that holds an event's time (default: _time; without one, it is the time of loading)",
  },
  "query-timeout": {
    value: "seconds",
    preset: "30",
    help: "stops a query or an ingest that takes longer, and responds with 422",
  },
  "rate-limit": {
    value: "n",
    help: "responds with 429 to more than n requests a minute (default: a million in the extended profile)",
  },
} as const;

export const serveText = [
  'Runs a local service that speaks the documented interface, on 127.0.0.1, until it gets SIGINT or SIGTERM. When it is ready it prints "listening on http://127.0.0.1:<port>", and then, unless you set the root token, "root token <token>".',
  "At / it has a page for a browser, which asks for the root token: tokens, the last requests with their outcome, annotations over a dataset's events, and queries with charts.",
] as const;
