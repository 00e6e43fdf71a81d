import { call, start, type TestEmulator } from "./harness";

export const now = () => new Date("2026-11-21T12:00:00Z");

export const events = [
  { _time: "2026-11-21T10:00:00Z", status: 200, method: "GET" },
  { _time: "2026-11-21T10:30:00Z", status: 500, method: "GET" },
  { _time: "2026-11-21T11:15:00Z", status: 200, method: "PUT" },
];

/** An emulator with the events in the dataset `web`, and one more in `other`. */
export async function withEvents(options = {}): Promise<TestEmulator> {
  const emulator = await start({ now, ...options });
  await emulator.ingest("web", events);
  await emulator.ingest("other", [{ _time: "2026-11-21T10:00:00Z", status: 1 }]);
  return emulator;
}

/** Legacy is the only format of the documented profile, which does not name it. */
export const apl = ({ url, profile }: Pick<TestEmulator, "url" | "profile">, text: string, more = {}) =>
  call(url, `POST /v1/datasets/_apl${profile === "extended" ? "?format=legacy" : ""}`, {
    body: { apl: text },
    ...more,
  });

/** How many events a dataset has. */
export async function countOf(emulator: Parameters<typeof apl>[0], dataset: string): Promise<number> {
  const { body } = await apl(emulator, `['${dataset}'] | count`);
  return body.buckets.totals[0].aggregations[0].value;
}

/** The work of this query is the square of a million, in one step that nothing interrupts. */
export const endless =
  "print x = split(strrep(strrep('1,',1024),256), ',') | extend y = series_fir(x, x) | project array_length(y)";
