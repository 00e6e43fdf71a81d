// @ts-check
// The service of the engine bench: tokens in memory, every answer as late as asked for, and nothing else that takes time.
// A process of its own, so that its work is not counted as anybody's. `node service.mjs <latency in ms>`
import { createServer } from "node:http";

const latency = Number(process.argv[2] ?? 0);
/** @type {Map<string, object>} */
const tokens = new Map();
let requests = 0;
let made = 0;

/** @param {string} text */
function create(text) {
  made += 1;
  const { name, ...spec } = JSON.parse(text);
  const token = { id: `tok-${String(made).padStart(6, "0")}`, name, ...spec };
  tokens.set(token.id, token);
  return { ...token, token: `xaat-00000000-0000-4000-8000-${String(made).padStart(12, "0")}` };
}

/**
 * @param {string} method
 * @param {string} id
 * @param {string} body
 * @returns {[status: number, body?: unknown]}
 */
function answer(method, id, body) {
  if (method === "POST" && id === "") return [200, create(body)];
  if (method === "GET" && id === "") return [200, [...tokens.values()]];
  const token = tokens.get(id);
  if (token === undefined) return [404, { message: "not found" }];
  if (method === "DELETE") return [204, void tokens.delete(id)];
  return [200, token];
}

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  if (request.url === "/requests") return response.end(String(requests));
  requests += 1;
  const [, id = ""] = /^\/v2\/tokens\/?(.*)$/.exec(request.url ?? "") ?? [];
  const [status, value] = answer(request.method ?? "", id, body);
  const send = () => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(value === undefined ? undefined : JSON.stringify(value));
  };
  if (latency > 0) setTimeout(send, latency);
  else send();
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
});
process.stdin.resume().once("end", () => process.exit());
