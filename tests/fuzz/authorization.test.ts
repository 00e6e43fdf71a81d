import { beforeAll, expect, test } from "@jest/globals";
import { call, start } from "../emulator/harness";
import { openForTests } from "../support/suite";
import { firstSeed, type Random, randomOf, runsOf } from "./random";

// A model of who may do what, written from the interface: `sdk/interface`, "Tokens". The emulator must agree with it.

const actions = ["create", "read", "update", "delete"];
const datasets = ["web", "api"];

interface Token {
  readonly org: Readonly<Record<string, readonly string[]>>;
  readonly data: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

const mayOrg = (key: string, action: string) => (token: Token) =>
  Object.entries(token.org).some(([name, list]) => name === key && list.includes(action));

const mayData = (token: Token, dataset: string, key: string, action: string) =>
  Object.entries(token.data).some(
    ([name, keys]) =>
      (name === dataset || name === "*") &&
      Object.entries(keys).some(([kind, list]) => kind === key && list.includes(action)),
  );

const mayQuery =
  (...names: string[]) =>
  (token: Token) =>
    names.every((name) => mayData(token, name, "query", "read"));

interface Operation {
  /** With the ids of a token and an annotation that nobody needs. */
  readonly line: string;
  readonly may: (token: Token) => boolean;
  readonly body?: object;
}

const end = "2999-01-01T00:00:00Z";
const structured = { startTime: "2020-01-01T00:00:00Z", endTime: end, resolution: "auto" };
const events = [{ made: 1 }];

const apl = (text: string, ...names: string[]): Operation => ({
  line: "POST /v1/datasets/_apl?format=tabular",
  body: { apl: text },
  may: mayQuery(...names),
});

const ofDataset = (name: string): Operation[] => [
  { line: `POST /v1/datasets/${name}/query`, body: structured, may: mayQuery(name) },
  ...[`/v1/datasets/${name}/ingest`, `/v1/ingest/${name}`].map((path) => ({
    line: `POST ${path}`,
    body: events,
    may: (token: Token) => mayData(token, name, "ingest", "create"),
  })),
  apl(`['${name}'] | count`, name),
  apl(`table('${name}')`, name),
];

const operations: readonly Operation[] = [
  { line: "POST /v2/tokens", body: { name: "made" }, may: mayOrg("apiTokens", "create") },
  { line: "GET /v2/tokens", may: mayOrg("apiTokens", "read") },
  { line: "GET /v2/tokens/{token}", may: mayOrg("apiTokens", "read") },
  { line: "DELETE /v2/tokens/{token}", may: mayOrg("apiTokens", "delete") },
  {
    line: "POST /v2/tokens/{token}/regenerate",
    body: { existingTokenExpiresAt: end },
    may: mayOrg("apiTokens", "update"),
  },
  {
    line: "POST /v2/annotations",
    body: { datasets: ["web"], type: "deploy" },
    may: mayOrg("annotations", "create"),
  },
  { line: "GET /v2/annotations", may: mayOrg("annotations", "read") },
  { line: "GET /v2/annotations/{annotation}", may: mayOrg("annotations", "read") },
  { line: "PUT /v2/annotations/{annotation}", body: { title: "changed" }, may: mayOrg("annotations", "update") },
  { line: "DELETE /v2/annotations/{annotation}", may: mayOrg("annotations", "delete") },
  ...datasets.flatMap(ofDataset),
  apl("['web'] | join kind=leftouter (['api']) on of", "web", "api"),
  apl("union ['web'], ['api']", "web", "api"),
  apl("union *", ...datasets),
  apl("search '*'", ...datasets),
  apl("['we']* | count", "web"),
  apl("['web'] | where of in ((['api'] | project of))", "web", "api"),
  apl("print x = 1"),
];

const subset = (random: Random, items: readonly string[]) => items.filter(() => random.chance(0.35));

function makeToken(random: Random): Token {
  const orgKeys = subset(random, ["apiTokens", "annotations", "datasets", "billing", "users", "views"]);
  const names = subset(random, ["web", "api", "we", "WEB", "*", "w*", "__proto__", "constructor"]);
  const kinds = () => subset(random, ["query", "ingest", "share", "trim", "toString"]);
  const some = () => subset(random, [...actions, "READ", "*"]);
  return {
    org: Object.fromEntries(orgKeys.map((key) => [key, some()])),
    data: Object.fromEntries(names.map((name) => [name, Object.fromEntries(kinds().map((kind) => [kind, some()]))])),
  };
}

const emulator = openForTests(() => start({ profile: "extended" }));
beforeAll(async () => {
  for (const name of datasets) await emulator.ingest(name, [{ _time: "2024-01-01T00:00:00Z", of: name }]);
});

const root = (line: string, body?: object) => call(emulator.url, line, { body });

/** A token that nobody accepts any more, by how that came about. */
const ends: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  deleted: (id) => root(`DELETE /v2/tokens/${id}`),
  regenerated: (id) => root(`POST /v2/tokens/${id}/regenerate`, { existingTokenExpiresAt: "2020-01-01T00:00:00Z" }),
};

async function mint({ org, data }: Token, more = {}): Promise<{ id: string; token: string }> {
  const isEmpty = [...Object.values(org), ...Object.values(data).flatMap(Object.values)].flat().length === 0;
  const capabilities = isEmpty ? {} : { orgCapabilities: org, datasetCapabilities: data };
  return (await root("POST /v2/tokens", { name: "caller", ...capabilities, ...more })).body;
}

/** The parts that a request could have changed, by the part of its path that says so. */
async function stateOf(line: string): Promise<unknown> {
  if (line.startsWith("GET") || /_apl|query$/.test(line)) return undefined;
  const kind = /^\w+ \/v2\/(tokens|annotations)/.exec(line)?.[1];
  if (kind) return (await root(`GET /v2/${kind}`)).body;
  return (await root("POST /v1/datasets/_apl?format=tabular", { apl: "union * | count" })).body.tables[0].columns;
}

async function clear(): Promise<void> {
  for (const kind of ["tokens", "annotations"])
    for (const { id } of (await root(`GET /v2/${kind}`)).body) await root(`DELETE /v2/${kind}/${id}`);
}

/** How the caller shows who it is, and whether that is valid. */
async function makeCaller(
  random: Random,
  token: Token,
): Promise<{ isValid: boolean; headers: Record<string, string> }> {
  const form = random.pick([
    "valid",
    "valid",
    "valid",
    "valid",
    ...Object.keys(ends),
    "expired",
    "misspelled",
    "scheme",
  ]);
  const made = await mint(token, form === "expired" ? { expiresAt: "2020-01-01T00:00:00Z" } : { expiresAt: end });
  await ends[form]?.(made.id);
  const secret = form === "misspelled" ? made.token.toUpperCase() : made.token;
  return {
    isValid: form === "valid",
    headers: { authorization: `${form === "scheme" ? "Token" : random.pick(["Bearer", "bearer"])} ${secret}` },
  };
}

/** The line of a request about an object that nobody needs. */
async function makeLine(line: string): Promise<string> {
  if (line.includes("{token}")) return line.replace("{token}", (await mint({ org: {}, data: {} })).id);
  if (!line.includes("{annotation}")) return line;
  const { body } = await root("POST /v2/annotations", { datasets: ["web"], type: "spare" });
  return line.replace("{annotation}", body.id);
}

const runs = runsOf(60);

test(`${runs} random requests are answered as the capabilities of their token say, and change nothing if refused`, async () => {
  const random = randomOf(firstSeed());
  const seen: Record<string, number> = {};
  for (let run = 0; run < runs; run += 1) {
    const token = makeToken(random);
    const operation = random.pick(operations);
    const line = await makeLine(operation.line);
    const { isValid, headers } = await makeCaller(random, token);
    const before = await stateOf(line);
    const { status, body: answer } = await call(emulator.url, line, { token: null, headers, body: operation.body });
    const expected = isValid ? (operation.may(token) ? "2xx" : "403") : "401";
    const found = status >= 200 && status <= 299 ? "2xx" : String(status);
    const of = {
      seed: firstSeed(),
      run,
      line,
      body: operation.body,
      token: JSON.stringify(token),
      said: answer?.message,
    };
    expect({ ...of, found }).toEqual({ ...of, found: expected });
    if (expected !== "2xx") expect({ ...of, state: await stateOf(line) }).toEqual({ ...of, state: before });
    seen[expected] = (seen[expected] ?? 0) + 1;
    if (run % 20 === 19) await clear();
  }
  for (const kind of ["2xx", "403", "401"]) expect(seen[kind]).toBeGreaterThan(runs / 20);
});
