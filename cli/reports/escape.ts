import { makeVisible } from "../text";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as text in HTML and XML, in an element and in a quoted attribute. */
export const escapeMarkup = (text: string): string =>
  makeVisible(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
