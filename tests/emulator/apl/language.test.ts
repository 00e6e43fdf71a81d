import { expect, test } from "@jest/globals";
import { language, refused } from "../../../emulator/apl/language";
import { corpus } from "./corpus";
import { failure, shareDatasets } from "./support";

const open = shareDatasets();

const refusals = refused.flatMap(({ kind, names }) => names.map((name) => [kind, name] as const));

test.each(refusals)("of the %s, %s is refused by name", async (kind, name) => {
  expect(language[kind]).not.toContain(name);
  const queries: Record<string, string> = {
    aggregations: `logs | summarize ${name}(user)`,
    "scalar functions": `print ${name}('a')`,
    "tabular operators": name === "render" ? "logs | render timechart" : `${name} (a: string) ['x']`,
  };
  const error = await failure(open.datasets.apl({ apl: queries[kind] ?? "" }));
  expect({ kind: error.kind, reason: error.reason }).toEqual({
    kind: "unsupported",
    reason: expect.stringMatching(new RegExp(`"${name}(\\(\\))?" is not supported by the emulator$`)),
  });
});

test.each(Object.entries(language))("every one of the %s is tried by a query of these tests", (_, names) => {
  const text = corpus.join("\n");
  const untried = names.filter((name) => !new RegExp(`(?<![\\w-])${name}(if|_if)?(?![\\w-])`).test(text));
  expect(untried).toEqual([]);
});
