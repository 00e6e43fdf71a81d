import type { Lookup } from "../../framework/functions";
import { nonEmptyText } from "../../framework/shapes";
import type { DatasetRecord } from "../../sdk";
import type { WithClient } from "../shared/account/connection";
import { warnOfOdd } from "./warnOfOdd";

/** The dataset to look up. */
export interface GetDatasetArgs {
  /** Name of the dataset. */
  readonly name: string;
}

export const getDataset: Lookup<GetDatasetArgs, DatasetRecord, WithClient> = {
  name: "getDataset",
  operations: ["datasets.get"],
  arguments: { name: nonEmptyText },

  async query({ client }, { name }, warn) {
    const found = await client.datasets.get(name);
    await warnOfOdd("dataset", found.odd ? [found] : [], warn);
    return found;
  },
};
