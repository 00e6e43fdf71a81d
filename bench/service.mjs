// @ts-check
// The service of the client and the engine benches: it keeps tokens in memory and does nothing else that takes time. A process of
// its own, so that its work is not counted as anybody's. `node service.mjs <latency in ms>`
import { createServer } from "node:http";

const latency = Number(process.argv[2] ?? 0);
const time = "2026-11-21T12:00:00Z";
const matches = Array.from({ length: 100 }, (_, n) => ({
  _rowId: `row-${n}`,
  _sysTime: time,
  _time: time,
  data: { method: "GET", status: 200, duration: n / 7, message: `order ${n} is placed` },
}));
const result = JSON.stringify({
  status: { elapsedTime: 1, rowsExamined: 100, rowsMatched: 100, isPartial: false, isEstimate: false },
  buckets: { series: [], totals: [] },
  matches,
  datasetNames: ["logs"],
  fieldsMetaMap: {},
  request: {},
});
const annotation = JSON.stringify({ id: "ann-000001", type: "deploy", datasets: ["logs"], time });
/** @type {Map<string, object>} */
const tokens = new Map();
/** The moments at which requests arrived. @type {number[]} */
const requests = [];
let created = 0;

/** @param {string} text */
function create(text) {
  const id = `tok-${String(++created).padStart(6, "0")}`;
  const token = { id, ...JSON.parse(text) };
  tokens.set(id, token);
  return { ...token, token: `xaat-00000000-0000-4000-8000-${String(created).padStart(12, "0")}` };
}

/**
 * @param {string} call
 * @param {string} body
 * @returns {[status: number, body?: string | undefined]}
 */
function answer(call, body) {
  if (call === "POST /v1/datasets/_apl") return [200, result];
  if (call === "POST /v2/annotations") return [200, annotation];
  if (call === "POST /v2/tokens") return [200, JSON.stringify(create(body))];
  if (call === "GET /v2/tokens") return [200, JSON.stringify([...tokens.values()])];
  const [, method, id = ""] = /^(\S+) \/v2\/tokens\/(.*)$/.exec(call) ?? [];
  const token = tokens.get(id);
  if (token === undefined) return [404, '{"message":"not found"}'];
  if (method === "DELETE") return [204, void tokens.delete(id)];
  return [200, JSON.stringify(token)];
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  if (request.url === "/requests") return response.end(JSON.stringify(requests));
  requests.push(Date.now());
  const [status, text] = answer(`${request.method} ${request.url?.replace(/\?.*/, "")}`, body);
  const send = () => response.writeHead(status, { "content-type": "application/json" }).end(text);
  if (latency > 0) setTimeout(send, latency);
  else send();
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" ? address?.port : "");
});
process.stdin.on("end", () => process.exit()).resume();
