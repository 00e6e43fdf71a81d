import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "@jest/globals";
import type { AuditResult } from "../../audit";
import { reports } from "../../cli/reports";
import { messageOf } from "../../cli/reports/report";
import { breakouts, hostileAudit, sampleAudit } from "../support/audits";
import { makeFolder, openForTests } from "../support/suite";
import { startBrowser, type Visit, type VisitOptions, visit } from "./browser";
import { contrastsOf, overflowOf, unnamedOf } from "./pageChecks";

const browser = openForTests(startBrowser);
const folder = makeFolder();

const samples = { sample: sampleAudit(), hostile: hostileAudit() };
/** Each token is one item, with all findings about it. */
const tokensFound = new Set(samples.sample.findings.map((finding) => finding.token.id ?? finding)).size;
/** Whether the page fits depends on the width alone, and its colours on the scheme alone. */
const looks = [
  [390, "dark"],
  [1200, "light"],
] as const;

/** Opens a report as people do: from a file. */
async function open(result: AuditResult, options?: VisitOptions): Promise<Visit> {
  const file = path.join(folder, "report.html");
  const text = [...reports.html(result, { columns: undefined, colours: false, location: "Pulumi.yaml" })].join("");
  await writeFile(file, text);
  return visit(browser, pathToFileURL(file).href, options);
}

const messageShown = (name: string) => messageOf({ message: `token ${name} is declared nowhere`, token: { name } });

test("the checks of a page see what is wrong with one", async () => {
  const poor = `<body style="background:#fff"><p style="color:#999">pale<p style="width:2000px">wide<button></button>`;
  await using report = await visit(browser, `data:text/html,${encodeURIComponent(poor)}`);
  expect(await contrastsOf(report.page)).toEqual(["2.85: pale"]);
  expect(await unnamedOf(report.page)).toEqual(["<button></button>"]);
  expect((await overflowOf(report.page)).at(-1)).toContain("width:2000px");
});

describe("names and descriptions of strangers", () => {
  test("stay text, run nothing, and nothing leaves the page", async () => {
    await using report = await open(samples.hostile);
    const { page } = report;
    await page.hover("li:nth-child(14)");
    for (const text of breakouts) {
      const shown = await page.getByText(messageShown(text), { exact: true }).count();
      expect([text, shown]).toEqual([text, 1]);
    }
    expect(await page.title()).toBe("API tokens: failed");
    expect(report.requests.filter((address) => address !== page.url())).toEqual([]);
    expect(report.problems).toEqual([]);
    expect(await page.locator("script").count()).toBe(0);
    expect(await page.locator("img, iframe, base, object, embed, link, a[href^=http]").count()).toBe(0);
  });

  test("could run nothing even as elements: the policy refuses it", async () => {
    await using report = await open(samples.sample);
    await report.page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "document.title = 'broken'";
      document.body.append(script);
      document.body.insertAdjacentHTML(
        "beforeend",
        `<img src="http://127.0.0.1:9/" onerror="document.title = 'broken'">`,
      );
    });
    expect(await report.page.title()).toBe("API tokens: failed");
    expect(report.problems.filter((text) => /Content Security Policy/.test(text)).length).toBeGreaterThanOrEqual(2);
  });
});

describe.each(looks)("%d pixels wide and %s", (width, look) => {
  test.each(["sample", "hostile"] as const)("the %s report fits and can be read", async (name) => {
    await using report = await open(samples[name], { width, dark: look === "dark" });
    expect(await overflowOf(report.page)).toEqual([]);
    expect(await contrastsOf(report.page)).toEqual([]);
    expect(await unnamedOf(report.page)).toEqual([]);
    const background = await report.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background).toBe(look === "dark" ? "rgb(20, 23, 27)" : "rgb(255, 255, 255)");
    expect(report.problems).toEqual([]);
  });
});

test("has landmarks and headings that a screen reader can go through", async () => {
  await using report = await open(samples.sample);
  const { page } = report;
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("API tokens of https://api.example.com");
  expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
    "When tokens expire",
    "Findings",
    "What to do",
    "What was read",
  ]);
  expect(await page.getByRole("main").count()).toBe(1);
  expect(await page.getByRole("table").count()).toBe(1);
  expect(await page.getByRole("region", { name: "What to do" }).count()).toBe(1);
});

test("on paper it is light and has everything", async () => {
  await using report = await open(samples.sample, { dark: true });
  const { page } = report;
  await page.emulateMedia({ media: "print", colorScheme: null });
  expect(await page.locator(".findings > li:visible").count()).toBe(tokensFound);
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(27, 31, 36)");
  expect(await contrastsOf(page)).toEqual([]);
  const pdf = await page.pdf({ format: "A4" });
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  const pages = pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length;
  expect(pages).toBeGreaterThanOrEqual(1);
  expect(pages).toBeLessThanOrEqual(5);
});
