import { randomBytes } from "node:crypto";
import { type Check, checkShape, epochOf, instant, listOf, type Shape, string } from "./fields";
import type { WireObject } from "./json";
import type { Profile } from "./profiles";
import type { Handler } from "./routing";

const fieldsWith = (datasets: Check, type: Check, textUpTo: (max: number) => Check) => ({
  datasets,
  title: textUpTo(256),
  description: textUpTo(512),
  type,
  time: instant,
  endTime: instant,
  url: textUpTo(512),
});

/** The documented interface names no required field; the limits are facts of the extended one. */
const shapes: Readonly<Record<Profile, Shape>> = {
  documented: { fields: fieldsWith(listOf(string()), string(), () => string()) },
  extended: {
    fields: fieldsWith(listOf(string(), 1), string({ max: 256, pattern: /^[a-z0-9-]+$/ }), (max) => string({ max })),
    required: ["datasets", "type"],
  },
};

export const createAnnotation: Handler = ({ store, profile, now }, { body }) => {
  checkShape(body, shapes[profile]);
  const shown: WireObject = { id: `ann_${randomBytes(12).toString("hex")}`, time: now().toISOString(), ...body };
  store.put("annotation", shown);
  return { status: 201, body: shown };
};

/** Annotations of the requested datasets whose time or time range overlaps the requested range. */
export const listAnnotations: Handler = ({ store }, { query }) => {
  // The public client in Rust sends `datasets[0]=a`, others `datasets=a,b`.
  const given = [...query].flatMap(([name, value]) => (/^datasets(\[\d*\])?$/.test(name) ? [value] : []));
  const datasets = given.flatMap((names) => names.split(",").filter(Boolean));
  const [start, end] = [boundary(query, "start"), boundary(query, "end")];
  const matches = (shown: WireObject) => {
    const from = epochOf(shown.time);
    const to = typeof shown.endTime === "string" ? epochOf(shown.endTime) : from;
    const named = Array.isArray(shown.datasets) && shown.datasets.some((name) => datasets.includes(name));
    // Only a boundary needs a time: a test can add an annotation that has none.
    const fits = (end === undefined || from <= end) && (start === undefined || to >= start);
    return (datasets.length === 0 || named) && fits;
  };
  return { status: 200, body: store.list("annotation").filter(matches) };
};

/** Overwrites the fields that the request contains. No request can clear a field (extended interface, "Annotations"). */
export const updateAnnotation: Handler = ({ store, profile }, { params: { id = "" }, body }) => {
  checkShape(body, { fields: shapes[profile].fields });
  const shown = { ...store.get("annotation", id), ...body, id };
  store.put("annotation", shown);
  return { status: 200, body: shown };
};

function boundary(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  instant(text, name);
  return epochOf(text);
}
