import { describe, expect, test } from "@jest/globals";
import { connect } from "../support/client";
import { type Behaviour, startService } from "../support/service";

/** A response as text: `JSON.stringify` would change some of it. */
const respond =
  (body: string): Behaviour =>
  (response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(body);

/** Half of a character, as JSON can write it, and as a program then holds it. */
const [half, written] = ["\ud83d", "\\ud83d"];

/** Texts that mean something to the engine of Pulumi, which this client knows nothing about. */
const marker = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const signature = "4dabf18193072939515e22adb298388d";

describe("a create returns the id and the secret unchanged", () => {
  test.each([
    ["half of a character in both", `t${written}1`, `xaat-${written}`, `t${half}1`, `xaat-${half}`],
    ["a text that means something elsewhere", marker, marker, marker, marker],
    ["characters that are not printed", "t\\u0000\\u202e", "x\\u007f\\ufeff", "t\u0000\u202e", "x\u007f\ufeff"],
  ])("%s", async (_, writtenId, writtenSecret, id, token) => {
    await using service = await startService(respond(`{"id":"${writtenId}","name":"ci","token":"${writtenSecret}"}`));
    expect(await connect(service.url).tokens.create({ name: "ci" })).toEqual({ id, name: "ci", token });
    expect(service.calls).toHaveLength(1);
  });

  test("with any keys around them, at any level", async () => {
    const keys = ["__proto__", "constructor", written, signature, marker].map((key) => `"${key}":{"query":["read"]}`);
    const capabilities = `{${keys.join(",")}}`;
    const body =
      `{"__proto__":{"id":"no","token":"no"},"${written}":1,"${signature}":"${marker}","id":"t1","name":"ci",` +
      `"token":"xaat-1","datasetCapabilities":${capabilities},"orgCapabilities":{"__proto__":["read"],"${written}":["read"]}}`;
    await using service = await startService(respond(body));
    const token = await connect(service.url).tokens.create({ name: "ci" });
    expect(token).toMatchObject({ id: "t1", name: "ci", token: "xaat-1" });
    expect(token).not.toHaveProperty("odd");
    expect(Object.keys(token.datasetCapabilities ?? {})).toEqual(["__proto__", "constructor", half, signature, marker]);
    expect(Object.entries(token.orgCapabilities ?? {})).toEqual([
      ["__proto__", ["read"]],
      [half, ["read"]],
    ]);
    expect(Object.getPrototypeOf(token.datasetCapabilities)).toBeNull();
  });
});

test("a list keeps half a surrogate pair, and keys that a prototype has", async () => {
  const body = `[{"id":"t${written}","name":"${written}","__proto__":{"id":"no"}},{"__proto__":{"id":"t2"}}]`;
  await using service = await startService(respond(body));
  const tokens = await connect(service.url).tokens.list();
  expect(tokens).toEqual([{ id: `t${half}`, name: half }]);
  expect(tokens.odd).toEqual([{ index: 1, odd: { id: "expected a string that is not empty" } }]);
});

test("an annotation with half a surrogate pair in its fields is created", async () => {
  await using service = await startService(
    respond(`{"id":"a${written}","title":"${written}","datasets":["${written}"]}`),
  );
  const annotation = await connect(service.url).annotations.create({ datasets: ["web"], title: "x" });
  expect(annotation).toEqual({ id: `a${half}`, title: half, datasets: [half] });
});
