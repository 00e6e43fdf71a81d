import { expect, test } from "@jest/globals";
import { ask } from "../../framework/functions";
import { type QueryAplResult, queryApl } from "../../provider/lookups/queryApl";
import { connect } from "../support/client";
import { aplAnswer, matches } from "../support/queryAnswers";
import { type Behaviour, startService } from "../support/service";

const openly = { isSecret: false, warn: async () => undefined };

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

/** A result with one event, which is nested so deep. */
const respond =
  (levels: number): Behaviour =>
  (response) => {
    const body = JSON.stringify({ ...aplAnswer, matches: [{ ...matches[0], data: "event" }] });
    response.writeHead(200, { "content-type": "application/json" }).end(body.replace('"event"', nested(levels)));
  };

test("an event that is nested too deeply for a program is an error that names the limit", async () => {
  await using service = await startService(respond(90), respond(20_000));
  await using client = connect(service.url);
  const result = (await ask(queryApl, { client }, { apl: "['web']" }, openly)) as QueryAplResult;
  expect(JSON.stringify(result.matches?.[0]?.data)).toBe(nested(90));
  await expect(ask(queryApl, { client }, { apl: "['web']" }, openly)).rejects.toThrow(
    "queryApl: the result is nested deeper than 100 levels",
  );
});
