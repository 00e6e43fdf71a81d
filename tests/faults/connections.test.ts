import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import tls from "node:tls";
import { runInThisContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { EventDatasets, type EventDatasetsOptions, isApiError } from "../../sdk";
import { type Authority, createAuthority } from "../support/keys";
import { findFreePort } from "../support/service";
import { type ClientOperationName, clientOperationNames, clientOperations, sameId } from "./clientOperations";
import { connectionRows, startHttp2 } from "./connections";
import { FaultProxy } from "./proxy";

let authority: Authority;
const usual = tls.getCACertificates("default");
beforeAll(() => {
  authority = createAuthority();
});
afterAll(() => tls.setDefaultCACertificates(usual));

async function run(operation: ClientOperationName, url: string, options: Partial<EventDatasetsOptions>) {
  const lines: string[] = [];
  const client = new EventDatasets({
    baseUrl: url,
    accessToken: "xaat-of-the-faults",
    profile: "extended",
    sleep: async () => undefined,
    debug: (line) => lines.push(line),
    ...options,
  });
  const how = await clientOperations[operation].run(client, sameId("t1")).then(
    () => "returned",
    (failure) => {
      if (!isApiError(failure)) throw failure;
      return failure.outcome;
    },
  );
  void client.close(); // a connection that hangs would hold it up
  return { operation, how, requests: lines.length };
}

/** Node.js reads the variable of the real process, of which a test's own is a copy. */
async function withoutVerification<T>(work: () => Promise<T>): Promise<T> {
  const { env } = runInThisContext("process") as NodeJS.Process;
  env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  try {
    return await work();
  } finally {
    delete env.NODE_TLS_REJECT_UNAUTHORIZED;
  }
}

/** That the variable does what it says to those who leave it to Node.js. */
async function expectReachable(url: string): Promise<void> {
  const request = get(url, { agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  response.resume();
}

test.each(connectionRows.map((row) => [row.name, row] as const))("no call sends anything: %s", async (_, row) => {
  const { place: makePlace, expected, isSilent, unverified } = row;
  await using place = await makePlace(authority);
  if (unverified) await withoutVerification(() => expectReachable(place.url));
  const options = isSilent ? { callDeadline: "1s", listDeadline: "1s", queryDeadline: "1s" } : {};
  const runAll = () => Promise.all(clientOperationNames.map((name) => run(name, place.url, options)));
  const seen = await (unverified ? withoutVerification(runAll) : runAll());
  expect(seen).toEqual(clientOperationNames.map((operation) => ({ operation, ...expected })));
});

test("a service that is being restarted is called until it is available again", async () => {
  const body = Buffer.from(JSON.stringify({ id: "t1", name: "ci", token: "xaat-1" }));
  const upstream = async () => ({ status: 200, headers: { "content-type": "application/json" }, body });
  await using proxy = await FaultProxy.start(upstream, undefined, await findFreePort());
  await proxy.stop();
  let waits = 0;
  const sleep = async () => {
    waits += 1;
    if (waits === 2) await proxy.listen();
  };
  expect(await run("tokens.create", proxy.url, { sleep })).toMatchObject({ how: "returned", requests: 3 });
  expect(proxy.carriedOut).toHaveLength(1);
});

test("the certificates of a private authority are trusted", async () => {
  tls.setDefaultCACertificates([...usual, authority.cert]);
  await using place = await startHttp2(authority);
  expect(await run("tokens.list", place.url, {})).toMatchObject({ how: "returned", requests: 1 });
});
