import type { Lookup } from "../../framework/functions";
import { text } from "../../framework/shapes";
import type { DatasetRecord } from "../../sdk";
import type { WithClient } from "../shared/account/connection";
import { warnOfOdd } from "./warnOfOdd";

/** Which datasets to get. */
export interface GetDatasetsArgs {
  /** The beginning of their names. */
  readonly namePrefix?: string | undefined;
}

/** The matching datasets. */
export interface GetDatasetsResult {
  /** The datasets, sorted by name. */
  readonly datasets: DatasetRecord[];
}

export const getDatasets: Lookup<GetDatasetsArgs, GetDatasetsResult, WithClient> = {
  name: "getDatasets",
  operations: ["datasets.list"],
  arguments: { namePrefix: text },

  async query({ client }, { namePrefix = "" }, warn) {
    const live = await client.datasets.list();
    await warnOfOdd("dataset", live.odd, warn);
    const fitting = live.filter(({ name }) => name.startsWith(namePrefix));
    return { datasets: fitting.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  },
};
