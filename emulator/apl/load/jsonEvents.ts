import { parseEvents } from "../exactJson";
import { lineFault } from "./failure";
import type { FileEvent } from "./source";

/** Values that JSON lacks, which other programs write all the same, and texts, which may hold such words. */
const loose = /"(?:[^"\\]|\\.)*"|-?\b(?:nan|inf(?:inity)?)\b|,(?=\s*[\]}])/gi;

function parse(text: string, line: number): FileEvent {
  const parsed =
    parseEvents(text) ??
    parseEvents(text.replace(loose, (found) => (found.startsWith('"') ? found : found === "," ? "" : "null")));
  if (!parsed) throw lineFault(line, "not valid JSON");
  return { line, value: parsed.value };
}

/**
 * The values of a JSON text: one after another, or in a list. The text arrives piece by piece, and only the values of one piece
 * are kept.
 * @throws QueryError that names the line where a value starts
 */
export async function* jsonEvents(text: AsyncIterable<string>): AsyncGenerator<FileEvent[]> {
  let value = "";
  let [line, start, depth] = [1, 1, 0];
  let [isQuoted, isEscaped] = [false, false];
  let list = "unknown" as "unknown" | "none" | "open" | "closed";
  for await (const piece of text) {
    let from = 0;
    const events: FileEvent[] = [];
    for (let at = 0; at < piece.length; at += 1) {
      const character = piece.charAt(at);
      if (character === "\n") line += 1;
      if (isQuoted) {
        if (isEscaped) isEscaped = false;
        else if (character === "\\") isEscaped = true;
        else if (character === '"') isQuoted = false;
        continue;
      }
      const isOutside = depth === 0 && value === "" && from === at;
      // The signs between values, and the brackets of the list itself.
      const bracket = list === "unknown" ? "[" : list === "open" ? "]" : "";
      if (isOutside && (character === bracket || (list === "open" ? /[\s,]/ : /[\s\ufeff]/).test(character))) {
        if (character === bracket) list = bracket === "[" ? "open" : "closed";
        from = at + 1;
        continue;
      }
      if (isOutside) start = line;
      if (list === "unknown") list = "none";
      if (character === '"') isQuoted = true;
      else if (character === "{" || character === "[") depth += 1;
      else if (character === "}" || character === "]") depth -= 1;
      if (depth > 0 || !/[\s,}\]]/.test(character)) continue;
      const end = depth < 0 || /[\s,]/.test(character) ? at : at + 1;
      events.push(parse(value + piece.slice(from, end), start));
      // The bracket after a value that has none itself.
      if (depth < 0 && list === "open") list = "closed";
      [value, from, depth] = ["", at + 1, 0];
    }
    value += piece.slice(from);
    yield events;
  }
  if (value.trim() !== "") yield [parse(value, start)];
  if (list === "open") throw lineFault(line, "the list is not closed");
}
