import { serveFlags, serveText } from "event-datasets-emulator/flags";
import type { Manual } from "../manual";

export const serve = {
  summary: "run a local service for tests",
  usage: ["[options]"],
  text: [
    ...serveText,
    "The service is a package of its own: npm install --save-dev event-datasets-emulator. Its command npx event-datasets-emulator takes the same options.",
  ],
  groups: [{ title: "Options", flags: serveFlags }],
  examples: [
    { what: "on a free port, with temporary data", line: "serve --port 0 --data $(mktemp -d)" },
    { what: "with a dataset to query", line: "serve --profile extended --dataset web=requests.ndjson" },
  ],
  notes: [],
} as const satisfies Manual;
