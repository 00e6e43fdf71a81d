import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Browser, startBrowser, visit } from "../support/browser";
import { logIn, open, views } from "./pageSteps";
import { type Served, serve } from "./pageWorld";

let browser: Browser;
let empty: Served;
beforeAll(async () => {
  // The language of a container that has none: Chromium calls it "en-US@posix".
  [browser, empty] = await Promise.all([startBrowser({ LC_ALL: "C", LANG: "C", LANGUAGE: "C" }), serve()]);
});
afterAll(async () => {
  await browser?.close();
  await empty?.[Symbol.asyncDispose]();
});

const ownLanguage = { ownLanguage: true };

test("the page works in a browser whose language Intl refuses", async () => {
  await using probe = await visit(browser, "about:blank", ownLanguage);
  expect(await probe.page.evaluate(() => navigator.language)).toBe("en-US@posix");
  for (const name of views) {
    await using opened = await open(browser, empty, name, ownLanguage);
    expect(await opened.page.getByRole("heading", { level: 2, name }).count()).toBe(1);
    expect(opened.problems).toEqual([]);
  }
});

test("the login form says what the root token is before it asks for it", async () => {
  await using opened = await visit(browser, empty.url, ownLanguage);
  const text = await opened.page.locator("form").textContent();
  expect(text).toMatch(/The root token may do everything.*Root token/s);
  expect(await opened.page.getByLabel("Root token").getAttribute("aria-describedby")).toBe("token-help");
});

test.each([
  ["Tokens", "There are no tokens yet.", /^EVENT_DATASETS_BASE_URL=http:\S+ pulumi up$/],
  ["Requests", "There are no requests yet.", /^EVENT_DATASETS_BASE_URL=http:\S+ npx pulumi-event-datasets doctor$/],
  ["Annotations", "There are no datasets and no annotations yet.", / annotate --dataset web -- true$/],
  ["Query", "There are no datasets yet.", /^npx event-datasets-emulator --sample$/],
] as const)("an empty list of %s says what to do next, and copies the command for it", async (name, words, command) => {
  await using opened = await visit(browser, `${empty.url}/#${name.toLowerCase()}`, ownLanguage);
  const { page } = opened;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await logIn(page, empty.rootToken);
  await page.getByRole("heading", { level: 2, name }).waitFor();
  expect(await page.locator("main").textContent()).toContain(words);
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(command);
});

test("what an empty list says is gone once there is something", async () => {
  await using opened = await open(browser, empty, "Query", ownLanguage);
  await opened.page.getByText("There are no datasets yet.").waitFor();
  await empty.ask("POST /v1/datasets/web/ingest", [{ a: 1 }]);
  await opened.page.getByText("There are no datasets yet.").waitFor({ state: "hidden" });
});
