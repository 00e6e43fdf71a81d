import { makeVisible } from "../../text";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as text, in an element and in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  makeVisible(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
