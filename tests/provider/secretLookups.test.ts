import { expect, test } from "@jest/globals";
import { ask } from "../../framework/functions";
import { getToken } from "../../provider/lookups/getToken";
import { queryApl } from "../../provider/lookups/queryApl";
import { queryDataset } from "../../provider/lookups/queryDataset";
import { connect } from "../support/client";
import { datasetAnswer } from "../support/queryAnswers";
import { json, startService } from "../support/service";

const canary = "cnry-secret-argument";
const discreetly = { isSecret: true, warn: async () => {} };

test("of a failing lookup or query with secret arguments nothing is repeated, nor of what the service says", async () => {
  await using service = await startService(json(400, { message: `unknown ${canary}` }), json(200, []));
  await using client = connect(service.url);
  await expect(ask(queryApl, { client }, { apl: canary }, discreetly)).rejects.toThrow(
    /^queryApl failed \(status 400\); the reason is left out, as arguments are secret$/,
  );
  await expect(ask(getToken, { client }, { name: canary }, discreetly)).rejects.toThrow(
    /^getToken failed; the reason is left out, as arguments are secret$/,
  );
});

test("no debug line and no progress shows the name of a dataset among secret arguments", async () => {
  await using service = await startService(json(200, datasetAnswer));
  const lines: string[] = [];
  const watch = (call: string) => {
    lines.push(call);
    return () => undefined;
  };
  await using client = connect(service.url, { debug: (line) => lines.push(line), watch });
  const args = { dataset: canary, startTime: "a", endTime: "b" };
  await ask(queryDataset, { client }, args, discreetly);
  expect(service.calls).toEqual([`POST /v1/datasets/${canary}/query`]);
  expect(lines.join("\n")).toContain("POST /v1/datasets/…/query");
  expect(lines.join("\n")).not.toContain(canary);
  await ask(queryDataset, { client }, args, { ...discreetly, isSecret: false });
  expect(lines.at(-1)).toContain(canary);
});
