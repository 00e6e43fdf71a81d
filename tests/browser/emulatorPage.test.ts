import { beforeAll, describe, expect, test } from "@jest/globals";
import { findFreePort } from "../support/service";
import { openForTests } from "../support/suite";
import { type Page, startBrowser, visit } from "./browser";
import { contrastsOf, overflowOf, unnamedOf } from "./pageChecks";
import { fillWithAttacks, fillWithSamples, logIn, open, run, serve, views } from "./pageWorld";

// The language of a container that has none: Chromium calls it "en-US@posix".
const browser = openForTests(() => startBrowser({ LC_ALL: "C", LANG: "C", LANGUAGE: "C" }));
const sample = openForTests(serve);
const hostile = openForTests(serve);
beforeAll(async () => {
  await Promise.all([fillWithSamples(sample), fillWithAttacks(hostile)]);
});

describe("shows", () => {
  test("tokens with what they may do and when they end, and finds them", async () => {
    await using opened = await open(browser, sample);
    const { page } = opened;
    const rows = page.getByRole("row");
    const names = () => page.locator(".tokens .name").allTextContents();
    const sorted = ["grafana", "annotate-only", "checkout-production", "ci-audit", "old-script", "migration-2025"];
    expect(await names()).toEqual(sorted);
    expect(await rows.filter({ hasText: "grafana" }).textContent()).toMatch(/dataset shop query: read.*in 9 days/);
    expect(await rows.filter({ hasText: "old-script" }).textContent()).toContain("never");
    expect(await rows.filter({ hasText: "migration-2025" }).textContent()).toMatch(/expired 20 days ago/);
    await page.getByLabel("Filter").fill("USERS");
    expect(await names()).toEqual(["old-script"]);
    expect(await page.getByRole("status").filter({ hasText: "1 of 6 tokens" }).count()).toBe(1);
  });

  test("the last requests with their outcome, those that come in while it is open too", async () => {
    await using opened = await open(browser, sample, "Requests");
    const { page } = opened;
    // Neither the milliseconds of a time nor a duration.
    const withStatus = (status: number) => new RegExp(`[^.\\d]${status}(?![.\\d]| ms)`);
    const row = (text: string | RegExp) => page.getByRole("row").filter({ hasText: text }).first();
    expect(await row(withStatus(403)).textContent()).toMatch(/GET \/v2\/tokens.*apiTokens: read.*annotate-only.* ms/);
    expect(await row(withStatus(401)).textContent()).toContain("the token is not known");
    expect(await row(/[^.\d]200.*root token/).textContent()).toMatch(/\d ms$/);
    await sample.ask("GET /v2/annotations/made-while-open");
    await row("made-while-open").waitFor();
    const summary = page.getByRole("status").filter({ hasText: "request" });
    expect(await summary.textContent()).toMatch(/^\d+ requests$/);
    await page.getByLabel("Outcome").selectOption("refused or failed");
    expect(await summary.textContent()).toMatch(/^\d+ of the last \d+ requests$/);
    expect(await page.locator("td .good").count()).toBe(0);
    expect(await page.locator("td .poor").count()).toBeGreaterThan(2);
  });

  test("annotations and deployments over a dataset's events, with tables of both", async () => {
    await using opened = await open(browser, sample, "Annotations");
    const { page } = opened;
    await page.getByRole("img", { name: /Events of shop over time with 4 annotations/ }).waitFor();
    expect(await markPixels(page)).toBeGreaterThan(200);
    const deployment = page.getByRole("row").filter({ hasText: "checkout 4.2.0" });
    expect(await deployment.textContent()).toMatch(/for 480 s.*run\/824/);
    await page.getByText("Events as a table").click();
    const table = page.getByRole("table", { name: /^Events/ });
    expect(await table.getByRole("row").count()).toBeGreaterThan(20);
    await page.getByLabel("Dataset").selectOption("audit");
    await page.getByText("1 annotation, no events in this dataset.").waitFor();
    expect(await page.getByRole("row").filter({ hasText: "search 1.9.3" }).count()).toBe(1);
  });

  test("a query's result as a table and as a chart with the bounds of a gate", async () => {
    await using opened = await open(browser, sample, "Query");
    const { page } = opened;
    expect(await page.getByLabel("Query (APL)").inputValue()).toMatch(/^\['shop'\]\n\| summarize/);
    await run(page, "['shop'] | summarize p95 = percentile(duration_ms, 95), n = count() by bin(_time, 10m), route");
    const columns = page.getByRole("table").first().getByRole("columnheader");
    expect(await columns.allTextContents()).toEqual(["_time", "route", "p95", "n"]);
    const chart = page.getByRole("img");
    expect(await chart.getAttribute("aria-label")).toMatch(
      /^Chart of .*\/cart · p95.*; the table below has the values\.$/,
    );
    expect(await page.locator(".legend li").count()).toBe(6);
    await page.getByLabel("Gate: maximum").fill("250");
    await page.getByText(/^\d+ of \d+ values are out of bounds\.$/).waitFor();
    expect(await page.locator(".legend .bound").textContent()).toBe("maximum 250");
    await page.getByRole("combobox", { name: "Chart" }).selectOption("bars");
    expect(await page.getByRole("img").count()).toBe(1);
    await page.getByRole("combobox", { name: "Chart" }).selectOption("none");
    expect(await page.getByRole("img").count()).toBe(0);

    await page.getByRole("combobox", { name: "Chart" }).selectOption("bars");
    await run(page, "['shop'] | summarize errors = countif(status == 500) by route | order by route asc");
    expect(await page.getByRole("cell").nth(0).textContent()).toBe("/cart");
    await page.getByText(/of 3 values are out of bounds/).waitFor();
    // A list of events has no chart, and shows as many rows as wanted.
    await run(page, "['shop'] | extend n = duration_ms | take 300");
    expect(await page.getByRole("img").count()).toBe(0);
    await page.getByRole("button", { name: "Show 100 more" }).click();
    expect(await page.getByRole("table", { name: "Result: 300 rows" }).getByRole("row").count()).toBe(301);
    await run(page, "['shop'] | nonsense");
    await page.getByText('line 1, column 12: the operator "nonsense"').waitFor();
    expect(await page.getByRole("table").count()).toBe(0);
    expect(opened.problems.filter((text) => !text.includes("400 (Bad Request)"))).toEqual([]);
  });
});

/** How many pixels of the chart have the colour of a mark. */
const markPixels = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const canvas = document.querySelector("canvas");
    const pixels = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let found = 0;
    for (let at = 0; at < pixels.length; at += 4)
      if (pixels[at] === 0x7a && pixels[at + 1] === 0x3e && pixels[at + 2] === 0xa1) found += 1;
    return found;
  });

describe.each([390, 1200])("%d pixels wide", (width) => {
  test.each(["sample", "hostile"])(
    "every view of the %s data fits, can be read, and has names for everything",
    async (data) => {
      const served = data === "sample" ? sample : hostile;
      await using opened = await open(browser, served, "Tokens", { width });
      const { page } = opened;
      for (const name of views) {
        await page.getByRole("link", { name }).click();
        if (["Annotations", "Datasets"].includes(name)) await page.getByRole("table").first().waitFor();
        if (name === "Query" && data === "sample")
          await run(page, "['shop'] | summarize count() by bin(_time, 1h), route");
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          const poor = [await overflowOf(page), await contrastsOf(page), await unnamedOf(page)];
          expect([name, colorScheme, ...poor]).toEqual([name, colorScheme, [], [], []]);
        }
      }
      expect(opened.problems).toEqual([]);
    },
  );
});

test("works with the keyboard alone, in an order that follows the page", async () => {
  await using opened = await visit(browser, sample.url);
  const { page } = opened;
  const findFocus = () =>
    page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      return ((element as HTMLInputElement).labels?.[0]?.firstChild ?? element).textContent ?? "";
    });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  expect(await findFocus()).toBe("Root token"); // waits to be typed into
  await page.keyboard.type(sample.rootToken);
  await press("Tab");
  expect(await findFocus()).toBe("Sign in");
  await press("Enter");
  await page.getByRole("navigation").waitFor();
  expect(await findFocus()).toBe("Tokens"); // the heading: a screen reader says where one is
  await press("Shift+Tab", "Shift+Tab", "Shift+Tab");
  expect(await findFocus()).toBe("Datasets");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
  expect(outline).toBe("solid");
  await press("Tab", "Tab", "Enter");
  await page.getByRole("heading", { level: 2, name: "Query" }).waitFor(); // the address changes first
  expect(await page.getByRole("link", { name: "Query" }).getAttribute("aria-current")).toBe("page");
  expect(await findFocus()).toBe("Query");
  await press("Tab");
  expect(await findFocus()).toBe("Query (APL)");
  await press("ControlOrMeta+a");
  await page.keyboard.type("['shop'] | summarize n = count()");
  await press("Control+Enter");
  await page.getByRole("cell").first().waitFor();
  const order: string[] = [];
  for (let n = 0; n < 7; n += 1) {
    await press("Tab");
    order.push(await findFocus());
  }
  expect(order.slice(0, 6)).toEqual(["From", "To", "Chart", "Gate: minimum", "Gate: maximum", "Run"]);
  expect(order[6]).toMatch(/^Result: 1 row/);
});

test("says that the emulator does not respond, and asks for the token again after a restart with another one", async () => {
  const port = String(await findFreePort());
  const served = await serve(port);
  await using opened = await open(browser, served);
  await served[Symbol.asyncDispose]();
  await opened.page.getByText("The emulator does not respond. This page retries until it does.").waitFor();
  await using next = await serve(port, "another-root-token");
  await opened.page.getByText("The emulator was restarted with another root token.").waitFor();
  await logIn(opened.page, next.rootToken);
  await opened.page.getByRole("navigation").waitFor();
});

describe("of an empty emulator, in a browser whose language Intl refuses", () => {
  const ownLanguage = { ownLanguage: true };
  const empty = openForTests(serve);

  test("every view works", async () => {
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
    ["Datasets", "There are no datasets yet.", /^npx event-datasets-emulator --sample$/],
    ["Query", "There are no datasets yet.", /^npx event-datasets-emulator --sample$/],
  ] as const)(
    "an empty list of %s says what to do next, and copies the command for it",
    async (name, words, command) => {
      await using opened = await visit(browser, `${empty.url}/#${name.toLowerCase()}`, ownLanguage);
      const { page } = opened;
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await logIn(page, empty.rootToken);
      await page.getByRole("heading", { level: 2, name }).waitFor();
      expect(await page.locator("main").textContent()).toContain(words);
      await page.getByRole("button", { name: "Copy" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(command);
    },
  );

  test("what an empty list says is gone once there is something", async () => {
    await using opened = await open(browser, empty, "Query", ownLanguage);
    await opened.page.getByText("There are no datasets yet.").waitFor();
    await empty.ask("POST /v1/datasets/web/ingest", [{ a: 1 }]);
    await opened.page.getByText("There are no datasets yet.").waitFor({ state: "hidden" });
  });
});
