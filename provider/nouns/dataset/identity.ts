import { asInstant, isSame } from "../../../framework/compare";
import { isProof } from "../../../framework/naming";
import { type DatasetRecord, orGone } from "../../../sdk";
import type { Session } from "../../shared/account/connection";
import { attempts } from "../../shared/account/search";
import type { DatasetInputs, DatasetState } from "./definition";
import { nameForm } from "./inputs";

export const describeDataset = (id: string): string => `dataset ${id}`;

/**
 * The message about a live dataset that is not the recorded one: names can be reused, and exist in every account.
 * @returns undefined: it is the recorded one
 */
export function describeOther(
  { client: { baseUrl } }: Pick<Session, "client">,
  id: string,
  { createdAt }: Pick<DatasetState, "createdAt">,
  { created }: DatasetRecord,
): string | undefined {
  if (createdAt !== undefined && isSame(asInstant, createdAt, created)) return undefined;
  return `${describeDataset(id)} at ${baseUrl} was created at ${created ?? "an unknown time"}, and the dataset of this resource at ${createdAt ?? "an unknown time"}: it is another dataset with the same name, so it is left alone. If the access token belongs to another account, correct it. If the dataset was deleted and created again, remove the resource from the state with "pulumi state delete" and its URN, and declare adopt: true.`;
}

/** @throws Error that names both times, for another dataset of the same name */
export function requireSame(...about: Parameters<typeof describeOther>): void {
  const other = describeOther(...about);
  if (other !== undefined) throw new Error(other);
}

/** How far apart the create and the time of creation may be, in milliseconds. */
const thisMinute = 60_000;

/** Looks for the dataset of a lost create: by a generated name, or by a chosen name if it is less than a minute old. */
export async function findCreated(
  session: Session,
  inputs: DatasetInputs,
  since: Date,
): Promise<DatasetRecord | undefined> {
  for await (const { signal } of attempts(session)) {
    const found = await orGone(session.client.datasets.get(inputs.name, { signal })).catch(() => undefined);
    if (!found) continue;
    const age = Math.abs(Date.parse(found.created ?? "") - since.getTime());
    return isProof(inputs, nameForm) || age < thisMinute ? found : undefined;
  }
  return undefined;
}
