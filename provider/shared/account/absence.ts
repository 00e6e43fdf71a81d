/**
 * Confirms with a list that an object that was not found by its id is gone.
 * @param object its words in an error
 * @throws Error if the list has it, or could have it
 */
export function confirmAbsent(
  id: string,
  list: readonly { readonly id: string }[] & { readonly odd: readonly { readonly id?: string }[] },
  object: string,
): void {
  const doubt = list.some((listed) => listed.id === id)
    ? "its list has it"
    : list.odd.some((entry) => entry.id === undefined) && "its list has entries without a usable id";
  if (doubt)
    throw new Error(
      `The service responds "not found" for ${object}, but ${doubt}: not treated as deleted. Try again later.`,
    );
}
