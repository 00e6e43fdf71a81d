import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DatasetFile } from "./emulator";

const routes = ["/", "/login", "/api/orders", "/api/search"];
const regions = ["eu-central-1", "us-east-1"];

/** Requests of a web service in the last hour, the newest one now; every 20th fails. Each start makes the same ones. */
const sampleEvents = (now: number) =>
  Array.from({ length: 1_200 }, (_, n) => ({
    _time: new Date(now - n * 3_000).toISOString(),
    method: n % 4 === 1 ? "POST" : "GET",
    route: routes[(n * 7) % routes.length],
    region: regions[n % 3 === 0 ? 1 : 0],
    status: n % 20 === 7 ? 500 : n % 9 === 4 ? 404 : 200,
    ms: 20 + ((n * 37) % 180) + (n % 20 === 7 ? 900 : 0),
  }));

/** Runs the work with a file of sample events for the dataset `web`. */
export async function withSample<T>(work: (sample: DatasetFile) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "event-datasets-sample-"));
  try {
    const file = path.join(folder, "web.ndjson");
    await writeFile(
      file,
      sampleEvents(Date.now())
        .map((event) => JSON.stringify(event))
        .join("\n"),
    );
    return await work({ name: "web", file });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
