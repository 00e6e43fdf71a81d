import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { reportFormats } from "../../cli/manuals/audit";
import { environmentOf } from "../../emulator/emulator";
import { garbleStatusLine, sendBrokenChunks, truncate } from "../faults/behaviours";
import { type Behaviour, FaultProxy, forwardTo, type Upstream } from "../faults/proxy";
import { cli } from "../support/cli";
import { startTemporaryEmulator } from "../support/deployment";
import { createWorkspace, type Workspace } from "../support/engine";
import { inForm } from "../support/program";
import { findSecret, findSecrets, type SecretHit } from "../support/secrets";
import { listen } from "../support/service";
import { canaries, canaryEnvironment, canaryProgram } from "./canaries";

/** A service that repeats the credential of the request, in two encodings. */
const repeatRequest: Behaviour = ({ request, response }) => {
  const { authorization = "" } = request.headers;
  const encoded = Buffer.from(authorization).toString("base64");
  response.writeHead(400, { "content-type": "application/json" });
  response.end(JSON.stringify({ message: `refused ${authorization} (${encoded}) for ${request.method}` }));
};

const secretCreate = "a create with a secret";

/** A proxy that refuses every request and repeats its credential. */
async function startProxy(): Promise<AsyncDisposable & { readonly address: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer();
  server.on("connect", ({ headers }, socket) => {
    const said = headers["proxy-authorization"] ?? "";
    asked.push(said);
    socket.on("error", () => undefined); // the client may close the connection first
    const body = `refused ${said}, ${Buffer.from(said.replace("Basic ", ""), "base64")}`;
    socket.end(`HTTP/1.1 407 ${said}\r\nproxy-authenticate: ${said}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  });
  const port = await listen(server);
  return {
    address: `http://canary:${canaries.proxyPassword}@127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/**
 * Updates in which the requests fail, then every other command on the stack. secretArguments shows that a preview prints none of the
 * program's secrets, nor does the history.
 */
async function live(
  workspace: Workspace,
  fail: (...behaviours: readonly Behaviour[]) => void,
  proxy: Awaited<ReturnType<typeof startProxy>>,
): Promise<void> {
  // Failures whose causes quote a request or a response, in the hosts that the engine itself starts as well.
  const engineHosts = { hosts: "engine" } as const;
  const run = { expectFailure: "either" } as const;
  await workspace.setConfig("event-datasets:accessToken", canaries.credential, { secret: true });
  await workspace.up({ args: ["--diff"] });
  const all = { args: ["--continue-on-error"], ...run };
  await workspace.writeFile("index.ts", canaryProgram(2));
  fail(garbleStatusLine, repeatRequest);
  await workspace.up({ ...all, ...engineHosts });
  await workspace.writeFile("index.ts", canaryProgram(3));
  fail(sendBrokenChunks, truncate);
  await workspace.up(all);
  fail(repeatRequest);
  await workspace.refresh(run);
  fail();
  await workspace.up();
  const { stdout, stderr } = await workspace.up({
    ...all,
    env: { CANARY_FAILURE: "yes", HTTPS_PROXY: proxy.address },
    ...engineHosts,
    expectFailure: true,
  });
  expect(stdout + stderr).toMatch(/there is no token with the id that adopt names/);
  expect(proxy.asked.length).toBeGreaterThan(0);
  await workspace.refresh({ env: { EVENT_DATASETS_ACCESS_TOKEN: canaries.otherCredential }, ...run });
  await workspace.writeFile("exported.json", JSON.stringify(await workspace.export()));
  fail(garbleStatusLine);
  await workspace.destroy(run);
  fail();
}

/** The output of the commands that CI systems read. */
async function commands({ program }: Workspace, url: string, proxy: string): Promise<Record<string, string>> {
  const env = environmentOf({ url, rootToken: canaries.credential, profile: "extended" });
  const printed: Record<string, string> = {};
  const run = async (name: string, args: readonly string[], more: Record<string, string> = {}) => {
    const { stdout, stderr } = await cli(args, { env: { ...env, ...more }, cwd: program });
    printed[name] = stdout + stderr;
  };
  for (const format of reportFormats)
    await run(`audit as ${format}`, ["audit", "--state", "exported.json", "--output", format]);
  await run("recover", ["recover", "--state", "exported.json"]);
  await run("doctor", ["doctor"]);
  const beyond = { EVENT_DATASETS_BASE_URL: "https://service.invalid", HTTPS_PROXY: proxy };
  await run("doctor behind a proxy", ["doctor"], beyond);
  await run("list behind a proxy", ["tokens", "list"], beyond);
  return printed;
}

test("no canary is in any byte that a stack's whole life wrote or printed, in both forms", async () => {
  await using service = await startTemporaryEmulator({ profile: "extended", rootToken: canaries.credential });
  await using refusing = await startProxy();
  let behaviours: readonly Behaviour[] = [];
  /** How often a behaviour was met, by a method, and by a create with a secret among its arguments. */
  const met = new Map<Behaviour, Map<string, number>>();
  const countOf = (behaviour: Behaviour, kind: string) => met.get(behaviour)?.get(kind) ?? 0;
  const ends: string[] = [];
  const upstream: Upstream = (request) => {
    const { name, expiresAt } = JSON.parse(request.body.toString() || "{}");
    if (/-(?:counted|turning)-/.test(name)) ends.push(expiresAt);
    return forwardTo(service.url)(request);
  };
  await using proxy = await FaultProxy.start(upstream, {
    // In turn, for each kind of request: each is met as often as the others.
    behaviour(exchange) {
      const { method = "", body } = exchange.request;
      const isSecret = method === "POST" && Object.values(canaries).some((canary) => body.includes(canary));
      const kind = isSecret ? secretCreate : method;
      const [behaviour = repeatRequest] = behaviours.toSorted((a, b) => countOf(a, kind) - countOf(b, kind));
      const counts = met.get(behaviour) ?? new Map<string, number>();
      met.set(behaviour, counts.set(kind, countOf(behaviour, kind) + 1));
      return behaviour(exchange);
    },
    meets: (method, target) => behaviours.length > 0 && (method !== "GET" || target !== "/v2/tokens"),
    times: Number.POSITIVE_INFINITY,
  });
  const env = { ...environmentOf({ ...service, url: proxy.url }), ...canaryEnvironment };
  const program = { "index.ts": canaryProgram(1) };
  await using workspace = await createWorkspace(inForm("both", { program, env }));
  const fail = (...next: readonly Behaviour[]) => {
    behaviours = next;
  };
  await live(workspace, fail, refusing);
  const printed = await commands(workspace, proxy.url, refusing.address);
  for (const behaviour of [garbleStatusLine, repeatRequest, sendBrokenChunks, truncate])
    expect(countOf(behaviour, secretCreate)).toBeGreaterThan(0);
  expect(proxy.minted.length).toBeGreaterThan(5);
  expect(ends.length).toBeGreaterThan(1);
  expect(refusing.asked.length).toBeGreaterThan(2);

  const secrets = [...Object.values(canaries), ...proxy.minted, ...new Set(ends)];
  const texts = { ...printed, transcript: workspace.transcript() };
  const places = { folders: [workspace.root], texts };
  // A report of live tokens shows their datasets and expiry.
  const isReported = ({ where }: SecretHit) => where.startsWith("audit as");
  const reported = [canaries.dataset, canaries.expiresAt, ...ends];
  const unreported = secrets.filter((secret) => !reported.includes(secret));
  const found = [
    ...(await findSecrets(places, unreported)),
    ...(await findSecrets(places, reported)).filter((hit) => !isReported(hit)),
  ];
  expect(found).toEqual([]);

  // A planted leak in each folder shows that the scan covers it.
  for (const folder of [workspace.backend, workspace.home, workspace.temp, workspace.program]) {
    const planted = path.join(folder, "planted.log");
    await writeFile(planted, Buffer.from(`x${canaries.description}`).toString("base64"));
    expect(await findSecret(places, canaries.description)).toContainEqual({ where: planted, form: "base64, offset 1" });
    await rm(planted);
  }
});
