import type { ReportFormat } from "../../../cli/reports";

/** Every string of a value put through a function; keys stay. */
export function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => mapStrings(member, map));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapStrings(member, map)]));
}

const shapeOf = (json: string): unknown => mapStrings(JSON.parse(json), () => "text");

const linesOf = (text: string): string[] => text.replace(/\n$/, "").split("\n");

const element = /<(\/?[a-z][\w-]*)((?: [\w:-]+(?:="[^"<>]*")?)*) ?\/?>/y;
const declaration = /<(?:!doctype html|\?xml version="1\.0" encoding="UTF-8"\?)>/y;
const characters = /(?:[^<>&]|&(?:amp|lt|gt|quot|apos|#39);)+/y;

/**
 * The elements of a page or an XML document with the names of their attributes.
 * @throws Error where something stands that is no element of ours and no text
 */
function elementsOf(markup: string): string[] {
  const text = markup.replace(/<(style|script)>.*?<\/\1>/gs, "<$1>");
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    const match = [element, declaration, characters].map((form) => matchAt(form, text, at)).find(Boolean);
    if (!match) throw new Error(`neither an element nor text: ${JSON.stringify(text.slice(at, at + 60))}`);
    const [whole, name, attributes = ""] = match;
    if (attributes.replace(/"(?:[^"&]|&(?:amp|lt|gt|quot|apos|#39);)*"/g, "").includes('"'))
      throw new Error(`not a value of an attribute: ${JSON.stringify(attributes.slice(0, 60))}`);
    if (name)
      found.push([name, ...[...attributes.matchAll(/ ([\w:-]+)(?:="[^"]*")?/g)].map(([, one]) => one)].join(" "));
    at += whole.length;
  }
  return found;
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(text);
}

/** Markdown without what stands in code spans, which end at the next run of as many backticks. */
export function withoutCodeSpans(line: string): string {
  let rest = line;
  let outside = "";
  for (;;) {
    const [fence] = /`+/.exec(rest) ?? [];
    if (fence === undefined) return outside + rest;
    const at = rest.indexOf(fence);
    outside += rest.slice(0, at);
    rest = rest.slice(at + fence.length);
    const end = [...rest.matchAll(/`+/g)].find(([run]) => run.length === fence.length);
    if (!end) outside += fence;
    else {
      outside += "CODE";
      rest = rest.slice(end.index + fence.length);
    }
  }
}

/** The parts of a report that must not depend on the tokens' names: everything but their texts. */
export const skeletons: { readonly [Format in ReportFormat]: (report: string) => unknown } = {
  json: shapeOf,
  sarif: shapeOf,
  html: elementsOf,
  junit: elementsOf,
  markdown: (report) => linesOf(report).map(withoutCodeSpans),
  // A rule or space, and where text of the service begins.
  table: (report) => linesOf(report).map((line) => /^(?: {2}[a-z-]+ +| {5,}|[\w ]+:|[\w ]*)/.exec(line)?.[0]),
};
