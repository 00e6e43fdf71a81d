import { expect, jest, test } from "@jest/globals";
import type { ApiTokenState } from "../../provider/nouns/apiToken/definition";
import { apiToken } from "../../provider/nouns/apiToken/lifecycle";
import { beginSession, type NotedSession } from "../support/host";
import { type Behaviour, json } from "../support/service";

// A refresh or a destroy of many tokens, in one process as the engine's.

const count = 80;
const idOf = (n: number) => `t${n}`;
const tokenOf = (n: number, description = "as declared") => ({ id: idOf(n), name: `ci-${n}`, description });
const all = Array.from({ length: count }, (_, n) => n);
const everyToken = all.map((n) => tokenOf(n));

interface Service {
  readonly list: Behaviour;
  readonly get: (n: number) => Behaviour;
}

/** Runs hooks on a service that answers lists and lookups as told; gives back how often it was asked for either. */
async function withService<T>(
  { list, get }: Service,
  run: (session: NotedSession, calls: () => readonly string[]) => Promise<T>,
) {
  await using it = await beginSession("extended", (response, request, socket) => {
    const [, id] = /\/v2\/tokens\/t(\d+)$/.exec(request.call) ?? [];
    return (id === undefined ? list : get(Number(id)))(response, request, socket);
  });
  const { service, session } = it;
  const outcome = await run(session, () => service.calls);
  const lists = service.calls.filter((call) => call === "GET /v2/tokens").length;
  return { outcome, lists, lookups: service.calls.filter((call) => call.startsWith("GET")).length - lists };
}

const stateOf = (n: number, { account }: NotedSession, credential = account.credential): ApiTokenState => ({
  name: `ci-${n}`,
  key: `ci-${n}`,
  description: "as declared",
  evidence: `${credential} beside`,
  record: {},
});

const refresh = (credential?: string) => (session: NotedSession) =>
  Promise.all(
    all.map((n) =>
      apiToken
        .read(session, idOf(n), stateOf(n, session, credential))
        .catch(({ message }: Error) => ({ failed: message })),
    ),
  );

const respondWithToken = (n: number): Behaviour => json(200, tokenOf(n));
/** A list that the service answers only when it is released. */
function holdList(tokens: readonly object[]) {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const list: Behaviour = async (...request) => {
    await promise;
    return json(200, tokens)(...request);
  };
  return { list, release };
}
/** Lets the event loop go on until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
const missing = (): Behaviour => json(404, { message: "not found" });

test("a refresh finds all tokens in one list, with the same result as lookups by their ids", async () => {
  const changed = (n: number) => tokenOf(n, n % 3 === 0 ? "changed by hand" : undefined);
  const get = (n: number) => json(200, changed(n));
  const listed = await withService({ list: json(200, all.map(changed)), get }, refresh());
  const single = await withService({ list: json(403, {}), get }, refresh());
  // Those that differ are looked up by their id, too.
  expect([listed.lists, listed.lookups]).toEqual([1, 27]);
  expect([single.lists, single.lookups]).toEqual([1, count]);
  /** Without the evidence, which depends on the service's address and on the list. */
  const withoutEvidence = (outcome: unknown) =>
    JSON.parse(JSON.stringify(outcome, (key, value) => (key === "evidence" ? undefined : value)));
  expect(withoutEvidence(listed.outcome)).toEqual(withoutEvidence(single.outcome));
  expect(listed.outcome[78]).toMatchObject({ inputs: { description: "changed by hand" } });
});

test("the evidence of each token is chosen without another look at the whole list", async () => {
  const lasting = (n: number) => ({ ...tokenOf(n), expiresAt: `20${30 + (n % 60)}-01-01T00:00:00Z` });
  using parse = jest.spyOn(Date, "parse");
  const list = json(200, all.map(lasting));
  const { outcome, lists } = await withService({ list, get: (n) => json(200, lasting(n)) }, refresh());
  expect([outcome[79], lists]).toEqual([expect.objectContaining({ state: expect.anything() }), 1]);
  expect(parse.mock.calls.length).toBeLessThan(20 * count);
});

test("a token that a list does not have, or has in a shape that cannot be read, is looked up by its id", async () => {
  const entries = all.filter((n) => n !== 60 && n !== 62).map((n) => tokenOf(n));
  const list = json(200, [...entries, { ...tokenOf(62), description: 7 }]);
  const { outcome, lookups } = await withService({ list, get: respondWithToken }, refresh());
  expect(lookups).toBe(2);
  for (const n of [60, 62]) expect(outcome[n]).toMatchObject({ state: { description: "as declared" } });
});

test("of many that are gone, one list says so", async () => {
  const { outcome, lists, lookups } = await withService({ list: json(200, []), get: missing }, refresh());
  expect(outcome).toEqual(all.map(() => undefined));
  expect([lists, lookups]).toEqual([1, count]);
});

test("none is forgotten while the list fails, and not each of them asks for it", async () => {
  const { outcome, lists, lookups } = await withService({ list: json(422, {}), get: missing }, refresh());
  expect(outcome).toEqual(all.map(() => ({ failed: expect.stringContaining("GET /v2/tokens: 422") })));
  expect([lists, lookups]).toEqual([1, count]);
});

test("a list that shows a token which is not found any more is asked for again before it counts", async () => {
  let asked = 0;
  const list: Behaviour = (...request) => json(200, asked++ === 0 ? [tokenOf(3, "changed by hand")] : [])(...request);
  const { outcome, lists } = await withService({ list, get: missing }, (session) =>
    apiToken.read(session, "t3", stateOf(3, session)),
  );
  expect([outcome, lists]).toEqual([undefined, 2]);
});

test("a list that does not come in time is done without", async () => {
  const { list, release } = holdList([]);
  const { outcome, lists, lookups } = await withService({ list, get: respondWithToken }, async (session, calls) => {
    const reads = refresh()(session);
    await until(() => calls().includes("GET /v2/tokens"));
    session.pass(10_000);
    return reads.finally(release);
  });
  expect([lists, lookups]).toEqual([1, count]);
  expect(outcome.filter((one) => one !== undefined && "state" in one)).toHaveLength(count);
});

test("an update of many takes one list, however long it runs: what a list shows proves an account for good", async () => {
  const list = json(200, everyToken);
  const { outcome, lists, lookups } = await withService({ list, get: missing }, async (session) => {
    const warnings: string[] = [];
    for (const n of all) {
      warnings.push(
        ...((await apiToken.verify?.(session, stateOf(n, session), {
          id: idOf(n),
          state: stateOf(n, session),
          change: { changes: false, replaces: [] },
        })) ?? []),
      );
      session.pass(11_000);
    }
    return warnings;
  });
  expect(outcome).toEqual([]);
  expect([lists, lookups]).toEqual([1, 0]);
});

test("a list that arrives late, as after a wait for a rate limit, serves what comes after it", async () => {
  const { list, release } = holdList(everyToken);
  const { lists, lookups } = await withService({ list, get: respondWithToken }, async (session, calls) => {
    const first = apiToken.read(session, idOf(0), stateOf(0, session));
    await until(() => calls().includes("GET /v2/tokens"));
    session.pass(10_000);
    await first;
    expect(session.account.list.problem).toContain("no response in time");
    release();
    await until(() => session.account.list.problem === undefined);
    const change = { changes: false, replaces: [] };
    for (const n of all)
      expect(
        await apiToken.verify?.(session, stateOf(n, session, "ffffffffffff"), {
          id: idOf(n),
          state: stateOf(n, session, "ffffffffffff"),
          change,
        }),
      ).toEqual([]);
  });
  expect([lists, lookups]).toEqual([1, 1]);
});

test("many that were revoked elsewhere are destroyed with one list", async () => {
  const { lists } = await withService({ list: json(200, []), get: missing }, async (session) => {
    for (const n of all) await apiToken.delete(session, idOf(n), stateOf(n, session));
  });
  expect(lists).toBe(1);
});
