import { describe, expect, test } from "@jest/globals";
import { accessToken, connect, failure } from "../../support/client";
import { aplAnswer, datasetAnswer, tabularAnswer } from "../../support/queryAnswers";
import { type Behaviour, json, startService } from "../../support/service";
import { stopTime, TestTime } from "../../support/suite";

stopTime();

const apl = "['web'] | count";

const extended = { profile: "extended" } as const;

describe("the format of a response", () => {
  test.each([
    ["is not sent while its parameter has no name", {}, undefined, ""],
    ["is sent once it has one, as a service can require it", { formatParameter: "shape" }, undefined, "?shape=legacy"],
    ["has the configured name", { formatParameter: "shape" }, "tabular", "?shape=tabular"],
    ["has the name of the extended profile", { ...extended, formatParameter: "x" }, undefined, "?format=legacy"],
    ["has that name for tables, too", extended, "tabular", "?format=tabular"],
  ] as const)("%s", async (_, options, format, search) => {
    await using service = await startService(json(200, format ? tabularAnswer : aplAnswer));
    const { queries } = connect(service.url, options);
    const answer = format ? await queries.apl({ apl }, { format }) : await queries.apl({ apl });
    expect("tables" in answer).toBe(format === "tabular");
    expect(service.calls).toEqual([`POST /v1/datasets/_apl${search}`]);
  });

  test.each(["legacy", "tabular"] as const)(
    "%s is an error before any request while its parameter has no name",
    async (format) => {
      await using service = await startService(json(200, aplAnswer));
      await expect(connect(service.url).queries.apl({ apl }, { format })).rejects.toThrow(
        `the format ${format} is not available: the profile "documented" does not know the name of that query parameter. Set option formatParameter of EventDatasets, or set option profile of EventDatasets to "extended"`,
      );
      expect(service.calls).toEqual([]);
    },
  );
});

describe("with an edge deployment", () => {
  test("queries go there, by their own path, and everything else goes to the base URL", async () => {
    await using central = await startService(json(200, []));
    await using edge = await startService(json(200, aplAnswer));
    await using client = connect(central.url, { ...extended, edgeUrl: `${edge.url}/` });
    await client.queries.apl({ apl });
    await client.tokens.list();
    expect([edge.calls, central.calls]).toEqual([["POST /v1/query/_apl?format=legacy"], ["GET /v2/tokens"]]);
    expect(edge.requests[0]?.headers.authorization).toBe(`Bearer ${accessToken}`);
  });

  test("a structured query is refused before it is sent, as its result would leave the deployment", async () => {
    await using central = await startService(json(200, datasetAnswer));
    await using client = connect(central.url, { ...extended, edgeUrl: "https://edge.example.com" });
    await expect(client.queries.dataset("web", {})).rejects.toThrow("use queries.apl");
    expect(central.calls).toEqual([]);
  });
});

describe("a query", () => {
  test("that is refused names the problem and its position, and is not retried", async () => {
    const detail = { message: "unexpected token", line: 2, column: 9, errorType: "syntax" };
    await using service = await startService(json(400, { code: 400, message: "unexpected token", detail }));
    const error = await failure(connect(service.url).queries.apl({ apl: "['web']\n| frobnicate" }));
    expect(error.message).toBe('POST /v1/datasets/_apl: 400: the service says "line 2, column 9: unexpected token"');
    expect(service.calls).toHaveLength(1);
  });

  test("leaves out a message that repeats the access token", async () => {
    const leftOut = "[left out: the text contains the access token]";
    const words = `token ${accessToken} was denied`;
    const status = { messages: [{ code: words, msg: words, priority: "warn" }, { msg: "slow" }] };
    await using service = await startService(
      ...[aplAnswer, tabularAnswer, datasetAnswer].map((answer) => json(200, { ...answer, status })),
    );
    const { queries } = connect(service.url, extended);
    const answers = [
      await queries.apl({ apl }),
      await queries.apl({ apl }, { format: "tabular" }),
      await queries.dataset("web", {}),
    ];
    for (const { status } of answers)
      expect(status.messages).toEqual([{ code: leftOut, msg: leftOut, priority: "warn" }, { msg: "slow" }]);
  });

  test("that exceeded its limit fails with that reason", async () => {
    await using service = await startService(json(430, { message: "limit exceeded" }));
    await expect(connect(service.url).queries.apl({ apl })).rejects.toThrow("the limit for queries is used up");
  });

  test("may be silent until its deadline, while other calls fail after a third of it", async () => {
    const time = new TestTime();
    const slow: Behaviour = (...request) => void setTimeout(() => json(200, aplAnswer)(...request), 100_000);
    await using service = await startService(time.hold(slow));
    const client = connect(service.url, { watch: time.watch });
    expect((await time.passDuring(client.queries.apl({ apl }))).matches).toHaveLength(1);
    expect(service.calls).toHaveLength(1);
  });
});
