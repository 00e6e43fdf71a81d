import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@jest/globals";
import { reports } from "../../cli/reports";
import { sampleAudit } from "../support/audits";
import { CHECKOUT } from "../support/program";
import { makeFolder } from "../support/suite";
import { type Page, startBrowser, visit } from "./browser";
import { fillWithSamples, open, run, serve } from "./pageWorld";
import { drawRotation } from "./terminalPicture";

/** The pictures of the documentation, by `npm run screenshots`: their size, and the page that shows each. */
const size = { width: 1_000, height: 760 };
const [emulator, audit] = ["docs/emulator.md", "docs/audit.md"] as const;
const pictures = { tokens: emulator, requests: emulator, annotations: emulator, query: emulator, audit };
type Picture = keyof typeof pictures;
const looks = ["light", "dark"] as const;
type Look = (typeof looks)[number];

const maxBytes = 150_000;
const nameOf = (picture: Picture, look: Look) => `images/${picture}-${look}.png`;
const fileOf = (picture: Picture, look: Look) => path.join(CHECKOUT, "docs", nameOf(picture, look));

if (process.env.EVENT_DATASETS_WRITE_SCREENSHOTS === "true")
  test("write the pictures of the documentation", async () => {
    await using browser = await startBrowser();
    const file = path.join(makeFolder(), "audit.html");
    const plain = { columns: undefined, colours: false, location: "Pulumi.yaml" };
    await writeFile(file, [...reports.html(sampleAudit(), plain)].join(""));
    await using served = await serve();
    await fillWithSamples(served);
    for (const look of looks) {
      const options = { width: size.width, dark: look === "dark" };
      await using page = await open(browser, served, "Tokens", options);
      await takeViews(page.page, look);
      await using report = await visit(browser, pathToFileURL(file).href, options);
      await take(report.page, "audit", look);
    }
  });

if (process.env.EVENT_DATASETS_WRITE_SCREENSHOTS === "true")
  test("draw the output of a rotation", async () => writeFile(rotation, await drawRotation()));

const rotation = path.join(CHECKOUT, "docs/images/rotation.svg");

test("the picture of a rotation shows what the engine printed, and the first pages show it", async () => {
  const picture = await readFile(rotation, "utf8");
  for (const words of ["$ pulumi up", "created replacement", "deleted original", "will be replaced", "fingerprint:"])
    expect(picture).toContain(words);
  expect(picture).not.toMatch(/\.\d{3}Z/); // as the output is now
  for (const page of ["README.md", "docs/index.md"])
    expect(await readFile(path.join(CHECKOUT, page), "utf8")).toContain('images/rotation.svg"');
});

async function takeViews(page: Page, look: Look): Promise<void> {
  await take(page, "tokens", look);
  await page.getByRole("link", { name: "Requests" }).click();
  await take(page, "requests", look);
  await page.getByRole("link", { name: "Annotations" }).click();
  await page.getByRole("img").waitFor();
  await take(page, "annotations", look);
  await page.getByRole("link", { name: "Query" }).click();
  await page.getByLabel("Gate: maximum").fill("250");
  await run(page, "['shop']\n| summarize p95 = percentile(duration_ms, 95) by bin(_time, 10m), route");
  await page.getByRole("img").waitFor();
  await take(page, "query", look);
}

async function take(page: Page, picture: Picture, look: Look): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path: fileOf(picture, look) });
}

test.each(Object.entries(pictures))(
  "the picture %s is small, and its page shows it in light and dark",
  async (name, page) => {
    const text = await readFile(path.join(CHECKOUT, page), "utf8");
    for (const look of looks) {
      const content = await readFile(fileOf(name as Picture, look));
      expect(content.length).toBeLessThanOrEqual(maxBytes);
      expect([content.readUInt32BE(16), content.readUInt32BE(20)]).toEqual([size.width, size.height]);
      expect(text).toContain(`/${nameOf(name as Picture, look)}"`);
    }
  },
);
