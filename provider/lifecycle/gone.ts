import type { AnsweredObject, EventDatasets, Listing } from "../../sdk";
import { canonicalAddress } from "../../sdk/values/address";

/** What is recorded of where an object lives. */
interface Recorded {
  readonly baseUrl?: string;
}

/**
 * "Not found" is believed only of the service that the object was made on. Elsewhere it means a wrong setting, and
 * believing it would empty the state and mint everything anew.
 * @throws Error that names both addresses
 */
export function believeOnlyOwnService(client: EventDatasets, id: string, { baseUrl }: Recorded): void {
  if (baseUrl === undefined || canonicalAddress(baseUrl) === client.baseUrl) return;
  throw new Error(
    `${client.baseUrl} has no object ${id}, but it was recorded on ${baseUrl}: check the base URL. If the service moved and the object is gone, remove it with "pulumi state delete".`,
  );
}

/** Whatever lists the objects of one kind. */
interface Lister {
  list(): Promise<Listing<AnsweredObject>>;
}

/**
 * An object that was answered with "not found" is gone if it is not in the list of its kind either.
 * @throws Error if the two answers contradict each other, if the list cannot be had, or if it is another service
 */
export async function confirmGone(
  client: EventDatasets,
  id: string,
  recorded: Recorded,
  lister: Lister,
): Promise<undefined> {
  believeOnlyOwnService(client, id, recorded);
  const listed = await lister.list();
  if (listed.some((object) => object.id === id)) {
    throw new Error(
      `${client.baseUrl} lists ${id}, but answers "not found" for it: not treated as deleted. Try again later.`,
    );
  }
  if (listed.odd.some((entry) => entry.id === undefined)) {
    throw new Error(
      `${client.baseUrl} answers "not found" for ${id}, but its list has entries without a usable id: not treated as deleted. Try again later.`,
    );
  }
}
