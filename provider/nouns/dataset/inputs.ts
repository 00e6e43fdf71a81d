import { isSecretInput } from "../../../framework/identity";
import type { Bag, Checked, CheckFailure } from "../../../framework/lifecycle";
import { resolveName } from "../../../framework/naming";
import { hasUnknown } from "../../../framework/unknown";
import type { Plan } from "../../shared/account/connection";
import { type DatasetInputs, datasetName } from "./definition";

/** The form of generated names: the service accepts no other characters. */
export const nameForm = (logicalName: string): string =>
  logicalName
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 100) || "dataset";

/** Returns the inputs with a name, all mistakes in them, and the warnings for the user. */
export function checkDataset(olds: Bag | undefined, news: Bag, plan: Plan): Checked<DatasetInputs> {
  const { name: _, chosenName: __, ...rest } = news;
  const isTaken = news.adopt === true;
  const inputs = { ...rest, ...resolveName(olds, news, plan, isTaken, nameForm) } as unknown as DatasetInputs;
  const { name, chosenName, deleteEvents } = inputs;
  const isKnown = !hasUnknown(name);
  const note = `dataset ${isKnown && chosenName === true ? name : `of the resource ${news.key}`}: deleteEvents is true, so its events are deleted when it is replaced, removed or destroyed, and when retentionDays becomes shorter`;
  return { inputs, failures: isKnown ? judgeName(inputs, plan) : [], notes: deleteEvents === true ? [note] : [] };
}

function judgeName({ name, chosenName, adopt, ...secrets }: Partial<DatasetInputs>, plan: Plan): CheckFailure[] {
  const fail = (reason: string) => [{ property: "name", reason }];
  if (isSecretInput(secrets, "name"))
    return fail("is secret, but it is the id of the dataset, which Pulumi shows: declare it in plain text");
  if (name === undefined)
    return fail(
      adopt
        ? "is missing: with adopt, declare the name of the dataset"
        : "is missing, and pulumi:autonaming is disabled",
    );
  if (chosenName !== true)
    return datasetName.judge(name).flatMap(({ reason }) => fail(`was generated, and ${reason}: declare one`));
  return plan.claim(name) ? [] : fail("belongs to a dataset that another resource of this update already has");
}
