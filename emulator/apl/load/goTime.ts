import { microsOfParts } from "../time";

/**
 * Times in a format that is given by an example: the reference time, Mon Jan 2 15:04:05 -0700 MST 2006, written in
 * that format (public reference of the ingest endpoint, `timestamp-format`).
 */
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

interface Part {
  readonly pattern: string;
  /** The part of the instant that this text is, if any. */
  readonly field?: "year" | "month" | "day" | "hour" | "minute" | "second" | "half" | "zone";
}

const number = (digits: string, field: NonNullable<Part["field"]>): Part => ({ pattern: digits, field });
const two = "\\d{2}";
const upToTwo = "\\d{1,2}";
const monthName = `(?:${months.join("|")})[a-z]*`;

/** Longer ones first: "January" before "Jan", "15" before "1". */
const parts: readonly (readonly [string, Part])[] = [
  ["2006", number("\\d{4}", "year")],
  ["January", number(monthName, "month")],
  ["Jan", number(monthName, "month")],
  ["Monday", { pattern: "[A-Z][a-z]+day" }],
  ["Mon", { pattern: "[A-Z][a-z]{2}" }],
  ["MST", { pattern: "UTC|GMT", field: "zone" }],
  ["Z07:00", number("Z|[+-]\\d{2}:\\d{2}", "zone")],
  ["Z0700", number("Z|[+-]\\d{4}", "zone")],
  ["-07:00", number("[+-]\\d{2}:\\d{2}", "zone")],
  ["-0700", number("[+-]\\d{4}", "zone")],
  ["-07", number("[+-]\\d{2}", "zone")],
  ["01", number(two, "month")],
  ["02", number(two, "day")],
  ["03", number(two, "hour")],
  ["04", number(two, "minute")],
  ["05", number(`${two}(?:[.,]\\d+)?`, "second")],
  ["06", number(two, "year")],
  ["15", number(two, "hour")],
  ["_2", number(" ?\\d{1,2}", "day")],
  ["PM", number("AM|PM", "half")],
  ["pm", number("am|pm", "half")],
  ["1", number(upToTwo, "month")],
  ["2", number(upToTwo, "day")],
  ["3", number(upToTwo, "hour")],
  ["4", number(upToTwo, "minute")],
  ["5", number(`${upToTwo}(?:[.,]\\d+)?`, "second")],
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

interface Step {
  readonly pattern: RegExp;
  readonly field: Part["field"];
}

function stepsOf(format: string): Step[] {
  const steps: Step[] = [];
  let rest = format.replaceAll(/[.,][09]+(?!\d)/g, ""); // the second takes a fraction in any case
  while (rest !== "") {
    const [example, part] = parts.find(([start]) => rest.startsWith(start)) ?? [rest.slice(0, 1), undefined];
    const pattern = part?.pattern ?? example.replace(/[\\^$.|?*+()[\]{}]/, "\\$&");
    steps.push({ pattern: new RegExp(pattern, "y"), field: part?.field });
    rest = rest.slice(example.length);
  }
  return steps;
}

type Fields = Readonly<Partial<Record<NonNullable<Part["field"]>, string>>>;

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
