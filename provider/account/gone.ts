import { type Listing, orGone, type ResponseObject } from "../../sdk";
import type { Sighting } from "./account";
import type { Account } from "./presence";

interface Lister {
  list(): Promise<Listing<ResponseObject>>;
}

/**
 * Confirms a "not found": the object is gone if its account is the present one and the list of its kind lacks it too.
 * @param object the object in the words of an error
 * @throws Error if the responses contradict each other, if there is no list, or if it may be another account
 */
export async function confirmGone(
  account: Account,
  id: string,
  recorded: Sighting,
  lister: Lister,
  object = id,
): Promise<undefined> {
  await account.requireSame(object, recorded);
  const listed = await lister.list();
  const doubt = listed.some((listedObject) => listedObject.id === id)
    ? "its list has it"
    : listed.odd.some((entry) => entry.id === undefined) && "its list has entries without a usable id";
  if (!doubt) return undefined;
  const { baseUrl } = account.here;
  throw new Error(`${baseUrl} responds "not found" for ${id}, but ${doubt}: not treated as deleted. Try again later.`);
}

interface Deleter extends Lister {
  delete(id: string): Promise<void>;
}

/**
 * Deletes an object of the present account; one that is gone already is no failure.
 * @param object its words in an error
 * @throws Error if the service cannot tell, or if it may be another account
 */
export async function deleteForGood(
  account: Account,
  id: string,
  recorded: Sighting,
  deleter: Deleter,
  object: string,
): Promise<void> {
  account.refuseOther(object, recorded);
  const isDeleted = await orGone(deleter.delete(id).then(() => true));
  if (isDeleted) account.see(recorded);
  else await confirmGone(account, id, recorded, deleter, object);
}
