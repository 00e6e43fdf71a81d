const longestList = 10;

/** Joins a list for a message. Of a list with more than ten items, the message names only the first ten. */
export const joinShortened = (items: readonly string[]): string =>
  items.length <= longestList
    ? items.join(", ")
    : `${items.slice(0, longestList).join(", ")} and ${items.length - longestList} more`;

/** Shortens a text to at most this many characters. A shortened text ends in an ellipsis. */
export function shorten(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join("")}…`;
}
