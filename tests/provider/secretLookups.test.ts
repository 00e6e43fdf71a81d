import { expect, test } from "@jest/globals";
import { ask } from "../../framework/functions";
import { getToken } from "../../provider/lookups/getToken";
import { queryApl } from "../../provider/lookups/queryApl";
import { connect } from "../support/client";
import { json, startService } from "../support/service";

const canary = "cnry-secret-argument";
const discreetly = { isSecret: true, warn: async () => {} };

test("of a failing lookup or query with secret arguments nothing is repeated, nor of what the service says", async () => {
  await using service = await startService(json(400, { message: `unknown ${canary}` }), json(200, []));
  await using client = connect(service.url);
  await expect(ask(queryApl(), client, { apl: canary }, discreetly)).rejects.toThrow(
    /^queryApl failed \(status 400\); the reason is left out, as arguments are secret$/,
  );
  await expect(ask(getToken, client, { name: canary }, discreetly)).rejects.toThrow(
    /^getToken failed; the reason is left out, as arguments are secret$/,
  );
});
