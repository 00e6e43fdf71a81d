import type { AuditResult } from "../../../audit";
import { count } from "../../counts";

type Calendar = AuditResult["calendar"];
type Day = Calendar["days"][number];

const dayLength = 86_400_000;
/** In pixels. Places placeAcross are in per cent, so that letters keep their size on a phone. */
const picture = { axis: 80, above: 60, below: 30, height: 138, bar: 5, scale: 48 } as const;
/** The height of the part above the names of months. */
const plotHeight = picture.height - 24;

/** When live tokens expire and become due, on a line from today on, and the same as a table. */
export function timeline({ calendar, auditedAt, summary }: AuditResult): string {
  if (summary.live === 0) return "";
  const { days } = calendar;
  const range = rangeOf(calendar, auditedAt);
  const most = Math.max(1, ...days.map(({ expire, rotate }) => Math.max(expire, rotate)));
  const marks = marksOf(days, most);
  const zones = zonesOf(calendar, range);
  const name = `${count(days.length, "day")} on which tokens expire or become due for rotation; the table below has them`;
  return `<section aria-labelledby="when"><h2 id="when">When tokens expire</h2>
<figure>
<div class="plot">${scaleOf(marks)}<svg width="100%" height="${picture.height}" role="img" aria-label="${name}">
${zones.map(({ kind, from, to }) => drawZone(kind, from, to, range)).join("")}${drawMonths(range)}${drawGrid(marks)}
${days.map((day) => drawDay(day, range, most)).join("")}</svg></div>
<figcaption>${legendOf(calendar, zones)}</figcaption>
</figure>
${tableOf(days)}</section>
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

const placeAcross = (at: number, { first, last }: Range): string =>
  `${(((at - first) / (last - first)) * 100).toFixed(2)}%`;

function drawDay({ day, expire, rotate }: Day, range: Range, most: number): string {
  const bar = (kind: "expire" | "rotate", many: number) => {
    if (many === 0) return "";
    const room = kind === "expire" ? picture.above : picture.below;
    const tall = Math.max(6, (many / most) * room);
    const y = kind === "expire" ? picture.axis - tall : picture.axis;
    const words = kind === "expire" ? "expiring" : "due for rotation";
    const title = `<title>${day}: ${count(many, "token")} ${words}</title>`;
    const size = `width="${picture.bar}" height="${tall.toFixed(1)}"`;
    return `<rect class="${kind}" x="${placeAcross(Date.parse(day), range)}" y="${y.toFixed(1)}" ${size}>${title}</rect>\n`;
  };
  return bar("rotate", rotate) + bar("expire", expire);
}

interface Zone {
  readonly kind: "near" | "beyond";
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** The days that are reported as near, and those beyond the policy's limit, as far as the picture has any of them. */
function zonesOf({ expiringUntil, longestUntil }: Calendar, { first, last }: Range): Zone[] {
  const near: Zone[] = expiringUntil
    ? [
        {
          kind: "near",
          from: first,
          to: Math.min(last, Date.parse(expiringUntil)),
          label: `near: up to ${expiringUntil}`,
        },
      ]
    : [];
  const beyond: Zone[] = longestUntil
    ? [{ kind: "beyond", from: Date.parse(longestUntil), to: last, label: `beyond the limit: ${longestUntil}` }]
    : [];
  return [...near, ...beyond].filter(({ from, to }) => from < to);
}

/** A shade behind the bars. */
function drawZone(kind: Zone["kind"], from: number, to: number, range: Range): string {
  const share = `${(((to - from) / (range.last - range.first)) * 100).toFixed(2)}%`;
  return `<rect class="${kind}" x="${placeAcross(from, range)}" y="0" width="${share}" height="${plotHeight}"/>\n`;
}

/** A number of tokens and its height in the picture. */
interface Mark {
  readonly tokens: number;
  readonly y: number;
}

/** The numbers of the vertical axis: tokens that expire above its zero, tokens to rotate below. */
function marksOf(days: readonly Day[], most: number): Mark[] {
  const hasRotations = days.some(({ rotate }) => rotate > 0);
  return [
    { tokens: most, y: picture.axis - picture.above },
    ...(most > 1 && most % 2 === 0 ? [{ tokens: most / 2, y: picture.axis - picture.above / 2 }] : []),
    { tokens: 0, y: picture.axis },
    ...(hasRotations ? [{ tokens: most, y: picture.axis + picture.below }] : []),
  ];
}

/** Stands beside the picture, whose own width is in per cent. The table has the same numbers for those who do not see it. */
function scaleOf(marks: readonly Mark[]): string {
  const numbers = marks.map(
    ({ tokens, y }) => `<text x="${picture.scale - 6}" y="${y + 4}" text-anchor="end">${tokens}</text>`,
  );
  const title = `<text x="0" y="10">tokens</text>`;
  return `<svg class="scale" width="${picture.scale}" height="${picture.height}" aria-hidden="true">${title}${numbers.join("")}</svg>\n`;
}

const drawGrid = (marks: readonly Mark[]): string =>
  marks
    .map(({ tokens, y }) => `<line class="${tokens === 0 ? "axis" : "grid"}" x1="0" x2="100%" y1="${y}" y2="${y}"/>\n`)
    .join("");

const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The firsts of months, of not more than fit on a phone. */
function drawMonths(range: Range): string {
  const start = new Date(range.first);
  const many = (range.last - range.first) / (30 * dayLength);
  const step = [1, 2, 3, 4, 6].find((months) => many / months <= 7) ?? 12;
  const ticks: string[] = [];
  for (let n = 1; ; n += step) {
    const at = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + n, 1);
    if (at >= range.last) break;
    const x = placeAcross(at, range);
    const month = monthNames[new Date(at).getUTCMonth()];
    const year = month === "Jan" || n === 1 ? ` ${new Date(at).getUTCFullYear()}` : "";
    // A text that begins near the right edge would be cut off.
    const anchor = at > range.first + (range.last - range.first) * 0.9 ? ' text-anchor="end"' : "";
    ticks.push(
      `<line x1="${x}" x2="${x}" y1="0" y2="${plotHeight}"/>`,
      `<text x="${x}" y="${picture.height - 8}"${anchor}>${month}${anchor ? "" : year}</text>\n`,
    );
  }
  return ticks.join("");
}

/** Names only what the picture shows. */
function legendOf({ days, never, later, expired, unreadable }: Calendar, zones: readonly Zone[]): string {
  const rest = [
    expired > 0 && `${count(expired, "token")} expired already`,
    later > 0 && `${count(later, "token")} after what is shown`,
    never > 0 && `${count(never, "token")} without an expiry`,
    unreadable > 0 && `${count(unreadable, "token")} with an expiry that cannot be read`,
  ].filter((text) => text !== false);
  const keys = [
    days.some(({ expire }) => expire > 0) && '<span class="key expire">expire</span>',
    days.some(({ rotate }) => rotate > 0) && '<span class="key rotate">due for rotation</span>',
    ...zones.map(({ kind, label }) => `<span class="key ${kind}">${label}</span>`),
  ].filter((key) => key !== false);
  return `${keys.join("\n")}${rest.length > 0 ? `<br>Not in the picture: ${rest.join(", ")}.` : ""}`;
}

function tableOf(days: readonly Day[]): string {
  if (days.length === 0) return "";
  const rows = days.map(
    ({ day, expire, rotate }) => `<tr><th scope="row">${day}</th><td>${expire}</td><td>${rotate}</td></tr>`,
  );
  return `<details><summary>The same as a table</summary>
<table><thead><tr><th scope="col">Day</th><th scope="col">Expire</th><th scope="col">Due for rotation</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></details>
`;
}
