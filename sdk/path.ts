import { withPrintableFailures } from "../values/printable";

declare const checked: unique symbol;

/** A request path whose variable parts were encoded by the `path` tag. */
export type Path = string & { readonly [checked]: true };

/**
 * Encodes an id as a path segment. Encoding alone is not enough: ".." stays as it is and would lead to the parent
 * path.
 */
function encodeSegment(id: string): string {
  for (const form of [id, decodeSegment(id)]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern refuses control characters
    if (form === "" || /^\.{1,2}$/.test(form) || /[/\\\u0000-\u001f\u007f]/.test(form)) {
      throw new RangeError(
        [
          `not a usable id: ${JSON.stringify(id.slice(0, 80))}. An id must not be empty, "." or "..", and must`,
          "not contain a slash, backslash or control character, encoded or not.",
        ].join(" "),
      );
    }
  }
  return encodeURIComponent(id.toWellFormed());
}

function decodeSegment(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id; // a stray "%" is not an encoding, so there is nothing more to check
  }
}

/**
 * Template tag for request paths: every `${id}` becomes one encoded segment.
 * @throws RangeError for an id that would lead to another path
 */
export const path = withPrintableFailures(
  (literals: TemplateStringsArray, ...ids: readonly string[]): Path =>
    literals.reduce((whole, literal, i) => whole + encodeSegment(ids[i - 1] ?? "") + literal) as Path,
);
