// Calls every operation of @axiomhq/js that the emulator has.
import { AxiomWithoutBatching, ContentEncoding, ContentType } from "@axiomhq/js";

const { AXIOM_URL: url = "", AXIOM_TOKEN: token = "" } = process.env;
const onError = (failure) => {
  throw failure;
};

function check(holds, what) {
  if (!holds) throw new Error(`@axiomhq/js: ${what}`);
}

async function callDatasets(client, dataset) {
  const events = [{ _time: "2030-01-01T00:00:00Z", status: 500 }, { status: 200 }];
  check((await client.ingest(dataset, events)).ingested === 2, "ingest");
  const plain = JSON.stringify([{ status: 404 }]);
  await client.ingestRaw(dataset, plain, ContentType.JSON, ContentEncoding.Identity);
  await client.ingestRaw(dataset, "at;status\n2030-01-01;301\n", ContentType.CSV, ContentEncoding.Auto, {
    timestampField: "at",
    timestampFormat: "2006-01-02",
    csvDelimiter: ";",
  });
  const counted = await client.query(`['${dataset}'] | summarize count()`);
  check(counted.tables[0].columns[0][0] === 4, "query");
  const period = { startTime: "2030-01-01T00:00:00Z", endTime: "2030-01-02T00:00:00Z" };
  const options = { ...period, type: "apl", noCache: true, format: "legacy", streamingDuration: "1s" };
  // Without `cursor`: this client sends it as a query parameter, which neither interface has.
  await client.query(`['${dataset}'] | limit 1`, options);
}

async function callDatasetObjects({ datasets }) {
  const made = await datasets.create({ name: "made-by-js", description: "text" });
  check((await datasets.get(made.id)).name === "made-by-js", "get");
  check(
    (await datasets.list()).some(({ id }) => id === made.id),
    "list",
  );
  const changed = await datasets.update(made.id, {
    description: "changed",
    retentionDays: 7,
    useRetentionPeriod: true,
  });
  check(changed.description === "changed", "update");
  await datasets.trim(made.id, "1h");
  check((await datasets.mapFields(made.id)).length === 0, "mapFields");
  await datasets.delete(made.id);
}

async function callAnnotations({ annotations }) {
  const made = await annotations.create({ datasets: ["web"], type: "deploy" });
  const range = { time: "2030-01-01T00:00:00Z", endTime: "2030-01-02T00:00:00Z" };
  const texts = { title: "title", description: "text", url: "https://example.com" };
  await annotations.create({ datasets: ["web"], type: "deploy", ...texts, ...range });
  await annotations.get(made.id);
  check((await annotations.list({ datasets: ["web"] })).length === 2, "list");
  const period = { start: "2030-01-01T00:00:00Z", end: "2030-01-02T00:00:00Z" };
  check((await annotations.list({ datasets: ["web"], ...period })).length === 1, "list of a period");
  const changes = { type: "deployed", datasets: ["web", "api"], ...texts, ...range, title: "changed" };
  check((await annotations.update(made.id, changes)).title === "changed", "update");
  await annotations.delete(made.id);
}

const client = new AxiomWithoutBatching({ token, url, onError });
await callDatasets(client, "web");
await client.queryLegacy("web", {
  aggregations: [{ op: "count", field: "*", argument: "", alias: "" }],
  startTime: "2030-01-01T00:00:00Z",
  endTime: "2030-01-02T00:00:00Z",
  resolution: "auto",
});
await callDatasetObjects(client);
await callAnnotations(client);
await callDatasets(new AxiomWithoutBatching({ token, url, edgeUrl: url, onError }), "edge");
