import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import tls from "node:tls";
import { runInThisContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { EventDatasets, type EventDatasetsOptions, isApiError } from "../../sdk";
import { type Authority, createAuthority } from "../support/keys";
import { findFreePort } from "../support/service";
import { type ClientOperationName, clientOperationNames, clientOperations, sameId } from "./clientOperations";
import { connectionRows } from "./connectionRows";
import { startHttp2 } from "./connections";
import { FaultProxy } from "./proxy";

let authority: Authority;
const usual = tls.getCACertificates("default");
beforeAll(() => {
  authority = createAuthority();
});
afterAll(() => tls.setDefaultCACertificates(usual));

interface Seen {
  readonly how: string;
  readonly requests: number;
}

async function run(operation: ClientOperationName, url: string, options: Partial<EventDatasetsOptions>): Promise<Seen> {
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
  return { how, requests: lines.length };
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

const cells = connectionRows.flatMap((row) => clientOperationNames.map((operation) => ({ row, operation })));

describe("a connection that cannot be opened sends nothing, for every call", () => {
  test.each(cells.map((cell) => [`${cell.operation}: ${cell.row.name}`, cell] as const))(
    "%s",
    async (_, { row, operation }) => {
      await using place = await row.place(authority);
      if (row.unverified) await withoutVerification(() => expectReachable(place.url));
      const options = row.deadline === undefined ? {} : { call: row.deadline, list: row.deadline, query: row.deadline };
      const seen = () => run(operation, place.url, { deadlines: options });
      expect(await (row.unverified ? withoutVerification(seen) : seen())).toEqual(row.expected);
    },
  );
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
  expect(await run("tokens.create", proxy.url, { sleep })).toEqual({ how: "returned", requests: 3 });
  expect(proxy.carriedOut).toHaveLength(1);
});

describe("with a private certificate authority", () => {
  beforeAll(() => tls.setDefaultCACertificates([...usual, authority.cert]));
  afterAll(() => tls.setDefaultCACertificates(usual));

  test("its certificates are trusted", async () => {
    await using place = await startHttp2(authority);
    expect(await run("tokens.list", place.url, {})).toEqual({ how: "returned", requests: 1 });
  });
});
