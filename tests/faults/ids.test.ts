import { expect, test } from "@jest/globals";
import { EventDatasets } from "../../sdk";
import { json, startService } from "../support/service";
import { type ClientOperationName, clientOperations } from "./clientOperations";
import { oddIds } from "./oddIds";

const withIds = ["tokens.get", "tokens.delete", "annotations.get", "annotations.update", "annotations.delete"] as const;

const cells = withIds.flatMap((operation) => oddIds.map((id) => [operation, id] as const));

test.each(cells)("%s refuses the id %j before any request", async (operation: ClientOperationName, id) => {
  await using service = await startService(json(200, {}));
  await using client = new EventDatasets({
    baseUrl: service.url,
    accessToken: "xaat-of-the-faults",
    profile: "extended",
  });
  await expect(clientOperations[operation].run(client, { token: id, annotation: id })).rejects.toThrow(RangeError);
  expect(service.calls).toEqual([]);
});
