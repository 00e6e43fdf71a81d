import { expect, test } from "@jest/globals";
import { openForTests } from "../support/suite";
import { startBrowser } from "./browser";
import { fillWithSamples, open, serve } from "./pageWorld";

const browser = openForTests(startBrowser);

test("the datasets with their events, their size and the last event", async () => {
  await using sample = await serve();
  await fillWithSamples(sample);
  await using opened = await open(browser, sample, "Datasets");
  const { page } = opened;
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  await row("shop").waitFor();
  expect(await row("shop").textContent()).toMatch(/axiom:events:v1[\d,]+\d+ KiB.*UTCof the plan$/);
  await sample.ask("POST /v2/datasets", { name: "zoo", retentionDays: 30, useRetentionPeriod: true });
  await row("zoo").waitFor();
  expect(await row("zoo").textContent()).toContain("00 KiBnone30 days");
});
