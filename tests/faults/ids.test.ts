import { expect, test } from "@jest/globals";
import { EventDatasets } from "../../sdk";
import { json, startService } from "../support/service";
import { clientOperations, operationsWithId, sameId } from "./clientOperations";
import { oddIds } from "./oddIds";

const cells = operationsWithId.flatMap((operation) => oddIds.map((id) => [operation, id] as const));

test.each(cells)("%s refuses the id %j before any request", async (operation, id) => {
  await using service = await startService(json(200, {}));
  await using client = new EventDatasets({
    baseUrl: service.url,
    accessToken: "xaat-of-the-faults",
    profile: "extended",
  });
  await expect(clientOperations[operation].run(client, sameId(id))).rejects.toThrow(RangeError);
  expect(service.calls).toEqual([]);
});
