// @ts-check
// The facts about the service, in the order in which they build on each other. Each object that is created here is deleted at the end.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {import("../../sdk/index.js").EventDatasets} Client */
/** @typedef {Pick<import("../../sdk/index.js").Settings, "baseUrl" | "accessToken" | "orgId">} Access */
/** @typedef {{ fact: string, expected: string, seen: string, holds: boolean }} Row */

/** How long a service may take until an event shows in a query, in milliseconds. */
const delay = 60_000;

/**
 * @param {Access} access
 * @param {(accessToken: string) => Client} connect
 * @returns {Promise<{ rows: Row[], left: string[] }>} `left`: what could not be deleted
 */
export async function checkFacts(access, connect) {
  const name = `acceptance-${randomBytes(4).toString("hex")}`;
  const client = connect(access.accessToken);
  /** @type {Row[]} */
  const rows = [];
  /** The objects to delete, by their words. @type {Map<string, () => Promise<unknown>>} */
  const made = new Map();
  const state = { name, access, client, connect, made };
  /** @type {Check} */
  const check = async (fact, expected, look) => {
    const seen = await look().catch(describe);
    rows.push({ fact, expected, seen, holds: new RegExp(`^(?:${expected})$`).test(seen) });
  };
  try {
    await checkTokens(state, check);
    await checkAnnotations(state, check);
    await checkDatasets(state, check);
    await checkLimits(state, check);
  } finally {
    for (const [words, remove] of [...made].reverse())
      if ((await remove().catch(describe)) === undefined || (await isGone(remove))) made.delete(words);
    await client.close();
  }
  return { rows, left: [...made.keys()] };
}

/** @typedef {(fact: string, expected: string, look: () => Promise<string>) => Promise<void>} Check */
/** @typedef {{ name: string, access: Access, client: Client, connect: (accessToken: string) => Client, made: Map<string, () => Promise<unknown>> }} State */

/** @param {unknown} failure */
const describe = (failure) => {
  const { status, message } = /** @type {{ status?: number, message?: string }} */ (failure);
  return status === undefined ? `failed: ${message}` : String(status);
};

/** @param {() => Promise<unknown>} remove */
const isGone = async (remove) => (await remove().catch(describe)) === "404";

/** @param {State} state @param {Check} check */
async function checkTokens({ name, client, connect, made }, check) {
  const orgCapabilities = { apiTokens: /** @type {["read"]} */ (["read"]) };
  const end = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  let [id, secret] = ["", ""];
  await check("a token's secret is in the response to its create", "xaat-…", async () => {
    const created = await client.tokens.create({ name, orgCapabilities, expiresAt: `${end}T12:00:00+02:00` });
    [id, secret] = [created.id, created.token];
    made.set(`token ${id}`, () => client.tokens.delete(id));
    return secret.replace(/(?<=^xaat-).*/, "…");
  });
  await check("a token is found by its id, without its secret", "no secret", async () =>
    "token" in (await client.tokens.get(id)) ? "a secret" : "no secret",
  );
  await check("the list of tokens has it", "listed", async () =>
    (await client.tokens.list()).some((token) => token.id === id) ? "listed" : "not listed",
  );
  await check("an expiry is given in UTC", `${end}T10:00:00(?:\\.0+)?Z`, async () =>
    String((await client.tokens.get(id)).expiresAt),
  );
  await check("capabilities are kept as they were sent", '\\{"apiTokens":\\["read"\\]\\}', async () =>
    JSON.stringify((await client.tokens.get(id)).orgCapabilities),
  );
  const own = connect(secret || "xaat-none");
  await check("a token can do what its capabilities say", "listed", async () =>
    (await own.tokens.list()) ? "listed" : "",
  );
  await check("a request without the capability is refused", "403", async () => {
    const { id } = await own.annotations.create({ datasets: [name], type: "acceptance", title: name });
    made.set(`annotation ${id}`, () => client.annotations.delete(id));
    return "accepted";
  });
  const nobody = connect("xaat-00000000-0000-0000-0000-000000000000");
  await check("an unknown access token is refused", "401|403", async () => {
    await nobody.tokens.list();
    return "accepted";
  });
  await check(
    "a token that is regenerated has another id, and the old one an end",
    "another id, the old one ends",
    async () => {
      const existingTokenExpiresAt = new Date(Date.now() + 3_600_000).toISOString();
      const { id: next } = await client.tokens.regenerate(id, { existingTokenExpiresAt });
      made.set(`token ${next}`, () => client.tokens.delete(next));
      const { expiresAt = "" } = await client.tokens.get(id);
      const ends = Date.parse(expiresAt) <= Date.parse(existingTokenExpiresAt) ? "ends" : "stays";
      return `${next === id ? "the same" : "another"} id, the old one ${ends}`;
    },
  );
  await check("a token that was revoked is not found", "404", async () => {
    await client.tokens.delete(id);
    made.delete(`token ${id}`);
    await client.tokens.get(id);
    return "found";
  });
  await check("its secret is refused", "401|403", async () => {
    await own.tokens.list();
    return "accepted";
  });
  await Promise.all([own.close(), nobody.close()]);
}

/** @param {State} state @param {Check} check */
async function checkAnnotations({ name, client, made }, check) {
  let id = "";
  const remove = () => client.annotations.delete(id);
  await check("an annotation is created with its id", "ann_…", async () => {
    id = (await client.annotations.create({ datasets: [name], type: "acceptance", title: name })).id;
    made.set(`annotation ${id}`, remove);
    return id.replace(/(?<=^ann_).*/, "…");
  });
  await check("an annotation can be changed", "changed", async () => {
    await client.annotations.update(id, { title: "changed" });
    return String((await client.annotations.get(id)).title);
  });
  await check("a title of 257 characters is refused", "400|422", async () => {
    const long = await client.annotations.create({ datasets: [name], type: "acceptance", title: "x".repeat(257) });
    made.set(`annotation ${long.id}`, () => client.annotations.delete(long.id));
    return "accepted";
  });
  await check("an annotation that was deleted is not found", "404", async () => {
    await remove();
    made.delete(`annotation ${id}`);
    await client.annotations.get(id);
    return "found";
  });
}

/** @param {State} state @param {Check} check */
async function checkDatasets({ name, access, client, made }, check) {
  const period = { startTime: new Date(Date.now() - 3_600_000), endTime: new Date(Date.now() + 3_600_000) };
  const remove = () => client.datasets.delete(name);
  await check("a dataset is created, and its id is its name", name, async () => {
    const { id } = await client.datasets.create({ name, description: "made by npm run acceptance" });
    made.set(`dataset ${name}`, remove);
    return id;
  });
  await check("a second dataset of the same name is refused", "409|400|422", async () => {
    await client.datasets.create({ name });
    return "accepted";
  });
  await check("an event is stored", "1 ingested", async () => {
    const response = await send(access, `/v1/datasets/${name}/ingest`, [{ status: 500 }]);
    return response.ok
      ? `${/** @type {{ ingested?: number }} */ (await response.json()).ingested} ingested`
      : String(response.status);
  });
  await check("a query counts it", "1", async () => {
    for (const end = Date.now() + delay; ; await sleep(500)) {
      const { buckets } = await client.queries.apl({ apl: `['${name}'] | summarize count()`, ...period });
      const value = buckets?.totals[0]?.aggregations[0]?.value;
      if (value === 1 || Date.now() > end) return String(value);
    }
  });
  await check("a field that no event ever had is refused", "400", async () => {
    await client.queries.apl({ apl: `['${name}'] | where statsu >= 500 | summarize count()`, ...period });
    return "accepted";
  });
  await check("a query of a dataset that does not exist is refused", "404|400|403", async () => {
    await client.queries.apl({ apl: `['${name}-none'] | count`, ...period });
    return "accepted";
  });
  await check("a dataset that was deleted is not found", "404", async () => {
    await remove();
    made.delete(`dataset ${name}`);
    await client.datasets.get(name);
    return "found";
  });
}

/** @param {State} state @param {Check} check */
async function checkLimits({ access }, check) {
  await check("a response says how many requests are left", "a number", async () => {
    const { headers } = await send(access, "/v2/tokens");
    return /^\d+$/.test(headers.get("x-ratelimit-remaining") ?? "") ? "a number" : "nothing";
  });
}

/** @param {Access} access @param {string} path @param {unknown} [body] */
const send = ({ baseUrl, accessToken, orgId }, path, body) =>
  fetch(`${baseUrl}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${accessToken}`,
      ...(orgId === undefined ? {} : { "x-axiom-org-id": orgId }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
