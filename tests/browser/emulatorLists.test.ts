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

test("all of many tokens can be shown, some hundreds at a time", async () => {
  await using world = await serve();
  for (let n = 0; n < 650; n++) await world.ask("POST /v2/tokens", { name: `ci-${n}` });
  await using opened = await open(browser, world, "Tokens");
  const { page } = opened;
  const count = () => page.locator(".tokens .name").count();
  await page.getByText("650 of 650 tokens; the first 300 are shown").waitFor();
  expect(await count()).toBe(300);
  await page.getByRole("button", { name: "Show 300 more tokens" }).click();
  expect(await count()).toBe(600);
  await page.getByRole("button", { name: "Show 50 more tokens" }).press("Enter");
  expect(await count()).toBe(650);
  expect(await page.getByRole("button", { name: /more tokens/ }).count()).toBe(0);
  await page.getByLabel("Filter").fill("ci-64");
  await page.getByText("11 of 650 tokens").waitFor();
  expect(await count()).toBe(11);
});
