// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync, zstdDecompressSync } from "node:zlib";

/** Headers that decide how the service reads a request. */
const TELLING = /^(content-type|content-encoding|x-axiom-(?!org).*)$/;

/** @type {Readonly<Record<string, (bytes: Buffer) => Buffer>>} */
const unpack = { gzip: gunzipSync, zstd: zstdDecompressSync };

/**
 * Passes requests on to a service, and records each with the status and the members of its response. Ids are recorded as their number,
 * so that a replay can put its own in their place.
 * @param {string} service
 */
export async function startRecorder(service) {
  /** @type {{ line: string, headers: Record<string, string>, body: string, status: number, members: string[] }[]} */
  const requests = [];
  /** @type {string[]} */
  const ids = [];
  const server = http.createServer(async (request, response) => {
    const sent = await buffer(request);
    const { method = "", url = "", headers } = request;
    const body = method === "GET" || method === "DELETE" ? null : new Uint8Array(sent);
    const passed = Object.entries(headers).flatMap(([name, value]) =>
      name === "authorization" || TELLING.test(name) ? [/** @type {const} */ ([name, String(value)])] : [],
    );
    const answer = await fetch(`${service}${url}`, { method, headers: Object.fromEntries(passed), body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const parsed = bytes.length === 0 ? {} : JSON.parse(bytes.toString());
    const told = Object.fromEntries(passed.filter(([name]) => TELLING.test(name)));
    const plain = (unpack[told["content-encoding"] ?? ""]?.(sent) ?? sent).toString();
    const line = ids.reduce((text, id, n) => text.replaceAll(id, `{${n}}`), `${method} ${url}`);
    const { status } = answer;
    requests.push({ line, headers: told, body: plain, status, members: Object.keys(parsed).sort() });
    if (typeof parsed.id === "string" && !ids.includes(parsed.id)) ids.push(parsed.id);
    response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length }).end(bytes);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** @param {string} command of a shell @param {string} cwd @param {NodeJS.ProcessEnv} env */
    async watch(command, cwd, env) {
      const child = spawn("sh", ["-c", command], { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
      const [code] = await once(child, "exit");
      if (code !== 0) throw new Error(`${command} failed: ${JSON.stringify(requests.at(-1))}`);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
