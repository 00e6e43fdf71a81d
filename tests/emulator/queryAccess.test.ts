import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { call, mintedWith, type TestEmulator } from "./harness";
import { apl, withEvents } from "./queryHarness";

describe("a token", () => {
  let documented: TestEmulator;
  let extended: TestEmulator;
  beforeAll(async () => {
    [documented, extended] = await Promise.all([withEvents(), withEvents({ profile: "extended" })]);
  });
  afterAll(async () => {
    await documented.close();
    await extended.close();
  });

  const may = (dataset: string, key: string, action: string) => ({
    datasetCapabilities: { [dataset]: { [key]: [action] } },
  });

  test("may query only the datasets that it has the capability for", async () => {
    const token = await mintedWith(documented.url, {}, may("web", "query", "read"));
    const query = (text: string) => apl(documented, text, { token });
    const queryStructured = (dataset: string) =>
      call(documented.url, `POST /v1/datasets/${dataset}/query`, { token, body: { limit: 1 } });
    expect((await query("['web'] | count")).status).toBe(200);
    expect((await queryStructured("web")).status).toBe(200);

    const missing = "the token lacks the capability query: read for the dataset other";
    const missingSome = "the token lacks the capability query: read for all datasets that * stands for";
    for (const text of ["['other'] | count", "union ['web'], ['other'] | count", "['web'] | union ['other']"]) {
      const { status, body } = await query(text);
      expect([text, status, body.message]).toEqual([text, 403, missing]);
    }
    // A property tries every form of a query that names a dataset: apl/access.
    for (const text of ["union * | count", "search 'x'"]) {
      const { status, body } = await query(text);
      expect([text, status, body.message]).toEqual([text, 403, missingSome]);
    }
    const { status, body } = await queryStructured("other");
    expect([status, body.message]).toEqual([403, missing]);
  });

  test("gets the same response for a wildcard that matches a forbidden dataset and one that matches nothing", async () => {
    const token = await mintedWith(documented.url, {}, may("web", "query", "read"));
    const heard = async (pattern: string) => {
      const { status, body } = await apl(documented, `['${pattern}'] | count`, { token });
      return [status, body.message.replace(pattern, "…")];
    };
    expect(await heard("oth*")).toEqual(await heard("nothing*"));
    expect(await heard("oth*")).toEqual([403, expect.not.stringContaining("other")]);
    expect((await apl(documented, "['we*'] | count", { token })).status).toBe(200);
    expect((await apl(documented, "['nothing*'] | count")).status).toBe(404);
    expect((await apl(documented, "['nothing'] | count", { token })).status).toBe(403);
  });

  test.each([
    ["the wrong action", may("web", "query", "create")],
    ["all of the organization", { orgCapabilities: { datasets: ["read", "create", "update", "delete"] } }],
  ])("with %s may not query", async (_, capabilities) => {
    const token = await mintedWith(documented.url, {}, capabilities);
    expect((await apl(documented, "['web'] | count", { token })).status).toBe(403);
  });

  test("may ingest with that capability, but not query", async () => {
    const token = await mintedWith(extended.url, {}, may("web", "ingest", "create"));
    const send = (dataset: string) =>
      call(extended.url, `POST /v1/datasets/${dataset}/ingest`, { token, body: [{ a: 1 }] });
    expect((await send("web")).status).toBe(200);
    expect((await send("other")).status).toBe(403);
    const { status } = await call(extended.url, "POST /v1/datasets/_apl?format=legacy", {
      token,
      body: { apl: "['web']" },
    });
    expect(status).toBe(403);
  });
});
