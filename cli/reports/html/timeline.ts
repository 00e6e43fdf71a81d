import type { AuditResult } from "../../../audit";
import { count } from "../text";

type Calendar = AuditResult["calendar"];
type Day = Calendar["days"][number];

const dayLength = 86_400_000;
/** In pixels. What stands across is in per cent, so that letters keep their size on a phone. */
const picture = { axis: 74, above: 60, below: 30, height: 132, bar: 5 } as const;

/** When live tokens expire and become due, on a line from today on, and the same as a table. */
export function timeline({ calendar, auditedAt, summary }: AuditResult): string {
  if (summary.live === 0) return "";
  const { days } = calendar;
  const range = rangeOf(calendar, auditedAt);
  const most = Math.max(1, ...days.map(({ expire, rotate }) => Math.max(expire, rotate)));
  const name = `${count(days.length, "day")} on which tokens expire or become due for rotation; the table below has them`;
  return `<section aria-labelledby="when"><h2 id="when">When tokens expire</h2>
<figure>
<svg width="100%" height="${picture.height}" role="img" aria-label="${name}">
${zones(calendar, range)}${months(range)}<line class="axis" x1="0" x2="100%" y1="${picture.axis}" y2="${picture.axis}"/>
${days.map((day) => bars(day, range, most)).join("")}</svg>
<figcaption>${legend(calendar)}</figcaption>
</figure>
${table(days)}</section>
`;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

function rangeOf({ days, expiringUntil, longestUntil }: Calendar, auditedAt: string): Range {
  const first = Date.parse(auditedAt.slice(0, 10));
  const ends = [...days.map(({ day }) => day), expiringUntil, longestUntil].map((day) => Date.parse(day ?? ""));
  // A little more than the last day, whose bar would otherwise stand on the edge.
  const last = Math.max(first + 90 * dayLength, ...ends.filter((at) => at <= first + 731 * dayLength));
  return { first, last: last + (last - first) * 0.03 };
}

const across = (at: number, { first, last }: Range): string => `${(((at - first) / (last - first)) * 100).toFixed(2)}%`;

function bars({ day, expire, rotate }: Day, range: Range, most: number): string {
  const bar = (kind: "expire" | "rotate", many: number) => {
    if (many === 0) return "";
    const room = kind === "expire" ? picture.above : picture.below;
    const tall = Math.max(6, (many / most) * room);
    const y = kind === "expire" ? picture.axis - tall : picture.axis;
    const words = kind === "expire" ? "expiring" : "due for rotation";
    const title = `<title>${day}: ${count(many, "token")} ${words}</title>`;
    const size = `width="${picture.bar}" height="${tall.toFixed(1)}"`;
    return `<rect class="${kind}" x="${across(Date.parse(day), range)}" y="${y.toFixed(1)}" ${size}>${title}</rect>\n`;
  };
  return bar("rotate", rotate) + bar("expire", expire);
}

/** What is reported as near, and what lies beyond the policy's limit, as shades behind the bars. */
function zones({ expiringUntil, longestUntil }: Calendar, range: Range): string {
  const zone = (kind: string, from: number, to: number) => {
    if (from >= to) return "";
    const share = `${(((to - from) / (range.last - range.first)) * 100).toFixed(2)}%`;
    return `<rect class="${kind}" x="${across(from, range)}" y="0" width="${share}" height="${picture.height - 24}"/>\n`;
  };
  const near = expiringUntil ? zone("near", range.first, Math.min(range.last, Date.parse(expiringUntil))) : "";
  return near + (longestUntil ? zone("beyond", Date.parse(longestUntil), range.last) : "");
}

const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The firsts of months, of not more than fit on a phone. */
function months(range: Range): string {
  const start = new Date(range.first);
  const many = (range.last - range.first) / (30 * dayLength);
  const step = [1, 2, 3, 4, 6].find((months) => many / months <= 7) ?? 12;
  const ticks: string[] = [];
  for (let n = 1; ; n += step) {
    const at = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + n, 1);
    if (at >= range.last) break;
    const x = across(at, range);
    const month = monthNames[new Date(at).getUTCMonth()];
    const year = month === "Jan" || n === 1 ? ` ${new Date(at).getUTCFullYear()}` : "";
    // What stands near the right edge would be cut off.
    const anchor = at > range.first + (range.last - range.first) * 0.9 ? ' text-anchor="end"' : "";
    ticks.push(
      `<line x1="${x}" x2="${x}" y1="0" y2="${picture.height - 24}"/>`,
      `<text x="${x}" y="${picture.height - 8}"${anchor}>${month}${anchor ? "" : year}</text>\n`,
    );
  }
  return ticks.join("");
}

function legend({ never, later, expired, unreadable, expiringUntil, longestUntil }: Calendar): string {
  const rest = [
    expired > 0 && `${count(expired, "token")} expired already`,
    later > 0 && `${count(later, "token")} after what is shown`,
    never > 0 && `${count(never, "token")} without an expiry`,
    unreadable > 0 && `${count(unreadable, "token")} with an expiry that cannot be read`,
  ].filter((text) => text !== false);
  const keys = [
    '<span class="key expire">expire</span>',
    '<span class="key rotate">due for rotation</span>',
    expiringUntil && `<span class="key near">near: up to ${expiringUntil}</span>`,
    longestUntil && `<span class="key beyond">beyond the limit: ${longestUntil}</span>`,
  ].filter(Boolean);
  return `${keys.join("\n")}${rest.length > 0 ? `<br>Not in the picture: ${rest.join(", ")}.` : ""}`;
}

function table(days: readonly Day[]): string {
  if (days.length === 0) return "";
  const rows = days.map(
    ({ day, expire, rotate }) => `<tr><th scope="row">${day}</th><td>${expire}</td><td>${rotate}</td></tr>`,
  );
  return `<details><summary>The same as a table</summary>
<table><thead><tr><th scope="col">Day</th><th scope="col">Expire</th><th scope="col">Due for rotation</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></details>
`;
}
