import { expect, test } from "@jest/globals";
import { adviseOnStatus } from "../../sdk/advice";
import type { Settings } from "../../sdk/settings";
import { withDiscretion } from "../../values/discretion";
import { connect, failure } from "../support/client";
import { oneValueAnswer } from "../support/queryAnswers";
import { type Behaviour, json, startService } from "../support/service";

const trace = { "x-axiom-trace-id": "4bf92f3577b34da6" };

/** The failure of a query, and the debug lines. */
async function runQuery(behaviour: Behaviour, apl = "['web']") {
  await using service = await startService(behaviour);
  const lines: string[] = [];
  const options = {
    debug: (line: string) => lines.push(line),
    profile: "extended",
    accessToken: "xaat-cnry-77",
  } as const;
  await using client = connect(service.url, options);
  const error = await failure(client.queries.apl({ apl }));
  return { error, lines };
}

const cutOff: Behaviour = (response, _, socket) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100", ...trace });
  response.write("{", () => socket.destroy());
};

test.each<[string, Behaviour]>([
  ["a refusal", json(403, { message: "no" }, trace)],
  ["a response in an unexpected form", json(200, { buckets: 5 }, trace)],
])("%s has the service's trace id in its message and in the debug line", async (_, behaviour) => {
  const { error, lines } = await runQuery(behaviour);
  expect(error.message).toMatch(/ \(trace id 4bf92f3577b34da6\)$/);
  expect(error).toMatchObject({ traceId: "4bf92f3577b34da6" });
  expect(lines).toEqual([expect.stringMatching(/ \d+ms trace 4bf92f3577b34da6$/)]);
});

test("a response that was cut off has the trace id of its head", async () => {
  await using service = await startService(cutOff);
  await using client = connect(service.url, { random: () => 0 });
  expect((await failure(client.tokens.create({ name: "ci" }))).message).toContain("(trace id 4bf92f3577b34da6)");
});

test("a success has it in the debug line, and a trace id that holds the access token is not shown", async () => {
  const body = JSON.parse(oneValueAnswer(1));
  await using service = await startService(
    json(200, body, trace),
    json(400, {}, { "x-axiom-trace-id": "xaat-cnry-77" }),
    json(200, body),
  );
  const lines: string[] = [];
  await using client = connect(service.url, { debug: (line) => lines.push(line), accessToken: "xaat-cnry-77" });
  await client.queries.apl({ apl: "['web']" });
  const { message } = await failure(client.queries.apl({ apl: "['web']" }));
  await client.queries.apl({ apl: "['web']" });
  expect(message).toContain("trace id");
  expect(`${message}${lines.join()}`).not.toContain("cnry");
  expect(lines.map((line) => line.includes(" trace "))).toEqual([true, true, false]);
});

test("a 404 of a query asks for its dataset, and that of a proxy for the base URL", async () => {
  const missing = await runQuery(json(404, { message: "dataset web not found" }));
  expect(missing.error.message).toContain(
    '404: the service says "dataset web not found"; does the dataset exist, and may the access token query it?',
  );
  const proxy = await runQuery((response) => void response.writeHead(404).end("not here"));
  expect(proxy.error.message).toContain("is the base URL right?");
});

test("a 404 at an edge deployment says which address belongs where", () => {
  const settings = { baseUrl: "https://us-east-1.aws.edge.axiom.co" } as Settings;
  const call = { kind: "query", needs: "", additions: [], unnamed: [] } as const;
  expect(adviseOnStatus({ status: 404, message: "", json: true, wait: undefined }, call, settings)).toBe(
    "an edge deployment has only /v1/query: set edgeUrl to this address, and baseUrl to the main one",
  );
});

test("a refused field is told apart, whatever else its name could mean", async () => {
  const { error } = await runQuery(json(400, { code: 400, message: 'invalid field: "format"' }));
  expect(error).toMatchObject({ invalidField: 'invalid field: "format"', mayBeProfile: false });
  const others = [json(400, { message: "invalid query" }), json(403, { message: 'invalid field: "x"' })];
  for (const other of others) expect((await runQuery(other)).error).toMatchObject({ invalidField: undefined });
  const secret = await withDiscretion(() => runQuery(json(400, { message: 'invalid field: "cnry"' })));
  expect(secret.error).toMatchObject({ invalidField: "" });
  expect(JSON.stringify(secret.error)).not.toContain("cnry");
});

test("the body fields of a query are sent in the extended profile only", async () => {
  const more = {
    defaultLimit: 5,
    defaultOrder: [{ field: "_time", desc: true }],
    includeCursorField: true,
    libraries: ["own"],
    maxBinAutoGroups: 40,
  };
  await using service = await startService(json(200, JSON.parse(oneValueAnswer(1))));
  await using client = connect(service.url, { profile: "extended" });
  await client.queries.apl({ apl: "['web']", ...more });
  expect(JSON.parse(service.requests[0]?.body ?? "")).toEqual({ apl: "['web']", ...more });
  await using small = connect(service.url);
  for (const [name, value] of Object.entries(more))
    await expect(small.queries.apl({ apl: "['web']", [name]: value })).rejects.toThrow(`the field ${name} is not in`);
});
