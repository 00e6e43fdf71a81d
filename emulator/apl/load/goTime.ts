import { microsOfParts } from "../time";

/**
 * Times in a format that is given by an example: the reference time, Mon Jan 2 15:04:05 -0700 MST 2006, written in
 * that format (public reference of the ingest endpoint, `timestamp-format`).
 */
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

type Field = "year" | "month" | "day" | "hour" | "minute" | "second" | "half" | "zone";

const two = "\\d{2}";
const upToTwo = "\\d{1,2}";
const monthName = `(?:${months.join("|")})[a-z]*`;

/** The parts of an example, their patterns, and what they say of an instant. Longer parts come first: "15" before "1". */
const parts: readonly (readonly [example: string, pattern: string, field?: Field])[] = [
  ["2006", "\\d{4}", "year"],
  ["January", monthName, "month"],
  ["Jan", monthName, "month"],
  ["Monday", "[A-Z][a-z]+day"],
  ["Mon", "[A-Z][a-z]{2}"],
  ["MST", "UTC|GMT", "zone"],
  ["Z07:00", "Z|[+-]\\d{2}:\\d{2}", "zone"],
  ["Z0700", "Z|[+-]\\d{4}", "zone"],
  ["-07:00", "[+-]\\d{2}:\\d{2}", "zone"],
  ["-0700", "[+-]\\d{4}", "zone"],
  ["-07", "[+-]\\d{2}", "zone"],
  ["01", two, "month"],
  ["02", two, "day"],
  ["03", two, "hour"],
  ["04", two, "minute"],
  ["05", `${two}(?:[.,]\\d+)?`, "second"],
  ["06", two, "year"],
  ["15", two, "hour"],
  ["_2", " ?\\d{1,2}", "day"],
  ["PM", "AM|PM", "half"],
  ["pm", "am|pm", "half"],
  ["1", upToTwo, "month"],
  ["2", upToTwo, "day"],
  ["3", upToTwo, "hour"],
  ["4", upToTwo, "minute"],
  ["5", `${upToTwo}(?:[.,]\\d+)?`, "second"],
];

/**
 * Makes a parser of times in a Go format, which returns microseconds since 1970, or undefined for any other text. Each part
 * takes as much as it can and never backtracks, as in Go, so the cost is proportional to the text's length.
 */
export function timeReader(format: string): (text: string) => bigint | undefined {
  const steps = stepsOf(format);
  return (text) => {
    const fields: Record<string, string> = {};
    let at = 0;
    for (const { pattern, field } of steps) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (!match) return undefined;
      if (field) fields[field] = match[0];
      at = pattern.lastIndex;
    }
    return at === text.length ? microsOf(fields) : undefined;
  };
}

function stepsOf(format: string) {
  const steps: { readonly pattern: RegExp; readonly field: Field | undefined }[] = [];
  let rest = format.replaceAll(/[.,][09]+(?!\d)/g, ""); // the second takes a fraction in any case
  while (rest !== "") {
    const sign = rest.slice(0, 1);
    const literal = [sign, sign.replace(/[\\^$.|?*+()[\]{}]/, "\\$&"), undefined] as const;
    const [example, pattern, field] = parts.find(([start]) => rest.startsWith(start)) ?? literal;
    steps.push({ pattern: new RegExp(pattern, "y"), field });
    rest = rest.slice(example.length);
  }
  return steps;
}

type Fields = Readonly<Partial<Record<Field, string>>>;

function microsOf({
  year = "",
  month = "1",
  day = "1",
  hour = "0",
  minute = "0",
  second = "0",
  half,
  zone = "Z",
}: Fields) {
  // Two digits mean 1969 to 2068, as in Go.
  const fullYear = year.length === 2 ? Number(year) + (Number(year) >= 69 ? 1900 : 2000) : Number(year);
  const monthNumber = /^\d/.test(month) ? Number(month) : months.indexOf(month.slice(0, 3)) + 1;
  const twelve = half && Number(hour) === 12 ? 0 : Number(hour);
  const hourNumber = twelve + (half?.toUpperCase() === "PM" ? 12 : 0);
  const [wholeSecond = "0", fraction = ""] = second.split(/[.,]/);
  const parts = [fullYear, monthNumber, Number(day), hourNumber, Number(minute), Number(wholeSecond)];
  // Go has no leap second.
  return Number(wholeSecond) > 59 ? undefined : microsOfParts(parts, fraction, zone);
}
