import type { AuditResult } from "../../../audit";
import { count } from "../../counts";

type Calendar = AuditResult["calendar"];

/** When live tokens expire and become due for rotation: a row for each month, with a bar for each number. */
export function timeline({ calendar, summary }: AuditResult): string {
  if (summary.live === 0) return "";
  const months = [...Map.groupBy(calendar.days, ({ day }) => day.slice(0, 7))].map(([month, days]) => ({
    month,
    expire: days.reduce((sum, { expire }) => sum + expire, 0),
    rotate: days.reduce((sum, { rotate }) => sum + rotate, 0),
  }));
  const most = Math.max(1, ...months.flatMap(({ expire, rotate }) => [expire, rotate]));
  const bar = (kind: string, many: number) =>
    `<td>${many}</td><td class="bar"><svg width="100%" height="12" aria-hidden="true"><rect class="${kind}" width="${((many / most) * 100).toFixed(1)}%" height="12"/></svg></td>`;
  const rows = months.map(
    ({ month, expire, rotate }) =>
      `<tr><th scope="row">${month}</th>${bar("expire", expire)}${bar("rotate", rotate)}</tr>\n`,
  );
  const head = `<thead><tr><th scope="col">Month</th><th scope="col" colspan="2">Expire</th><th scope="col" colspan="2">Due for rotation</th></tr></thead>`;
  const table = rows.length === 0 ? "" : `<table>${head}\n<tbody>${rows.join("")}</tbody></table>\n`;
  return `<section aria-labelledby="when"><h2 id="when">When tokens expire</h2>\n${table}<p>${notesOf(calendar).join(" ")}</p>\n</section>\n`;
}

/** The limits, and the tokens that no row counts. */
function notesOf({ never, later, expired, unreadable, expiringUntil, longestUntil }: Calendar): string[] {
  const notes = [
    expiringUntil && `Reported as near: up to ${expiringUntil}.`,
    longestUntil && `The policy's limit: ${longestUntil}.`,
    expired > 0 && `${count(expired, "token")} expired already.`,
    later > 0 && `${count(later, "token")} later than in two years.`,
    never > 0 && `${count(never, "token")} without an expiry.`,
    unreadable > 0 && `${count(unreadable, "token")} with an expiry that cannot be read.`,
  ];
  return notes.filter((note) => typeof note === "string");
}
