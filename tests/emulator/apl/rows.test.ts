import { expect, test } from "@jest/globals";
import { shareDatasets } from "./support";

const open = shareDatasets({
  events: [
    { id: 1, list: ["a", null, "b"], sep: "--", key: "k" },
    { id: 2, list: [], sep: ",", key: null },
    { id: 3, list: ["c", 4], sep: null, key: "" },
    { id: 4, list: null, sep: "x", key: "y" },
  ].map((event) => ({ _time: "2024-01-01T00:00:00Z", ...event })),
});

test.each<readonly [expression: string, values: readonly unknown[]]>([
  ["strcat_array(list, sep)", ["a--b", "", "c4", null]],
  ["strcat_array(list, '+')", ["a+b", "", "c+4", null]],
  ["tostring(pack(key, id))", ['{"k":1}', '{"":2}', '{"":3}', '{"y":4}']],
])("%s takes what differs from event to event", async (expression, values) => {
  expect(await open.column(`events | order by id asc | project x = ${expression}`)).toEqual(values);
});

test.each(["'a'", "not('a')", "'a' or 'b'"])(
  "search %s finds nothing to look through in rows of numbers alone",
  async (what) => {
    const rows = await open.rows(`range x from 1 to 2 step 1 | search ${what}`);
    expect(rows).toHaveLength(what.startsWith("not") ? 2 : 0);
  },
);
