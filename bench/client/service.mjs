// @ts-check
// The service of the client bench: one answer for each call, and nothing else that takes time. A process of its own.
import { createServer } from "node:http";

const time = "2026-11-21T12:00:00Z";
const matches = Array.from({ length: 100 }, (_, n) => ({
  _rowId: `row-${n}`,
  _sysTime: time,
  _time: time,
  data: { method: "GET", status: 200, duration: n / 7, message: `order ${n} is placed` },
}));
const answers = {
  "GET /v2/tokens/tok-000001": { id: "tok-000001", name: "bench", orgCapabilities: { apiTokens: ["read"] } },
  "POST /v2/annotations": { id: "ann-000001", type: "deploy", datasets: ["logs"], time },
  "POST /v1/datasets/_apl": {
    status: { elapsedTime: 1, rowsExamined: 100, rowsMatched: 100, isPartial: false, isEstimate: false },
    buckets: { series: [], totals: [] },
    matches,
    datasetNames: ["logs"],
    fieldsMetaMap: {},
    request: {},
  },
};
const bodies = new Map(Object.entries(answers).map(([call, answer]) => [call, JSON.stringify(answer)]));

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const body = bodies.get(`${request.method} ${request.url?.replace(/\?.*/, "")}`);
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" }).end(body ?? "{}");
  });
});
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(port);
});
process.stdin.on("end", () => process.exit()).resume();
