import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { generated } from "../../docs/.vitepress/pages";
import { pagesOfSite } from "../docs/markdown";
import { CHECKOUT } from "../support/program";
import { listen } from "../support/service";
import { makeFolder, openForTests } from "../support/suite";
import { type Locator, type Page, startBrowser, type Visit, visit } from "./browser";
import { clippedOf, contrastsOf, overflowOf } from "./pageChecks";

const folder = makeFolder();
let server: Server;
let port: number;
const browser = openForTests(startBrowser);
/** Turns from page to page: it has the styles and the scripts already. */
let reader: Visit;

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [path.join(CHECKOUT, "scripts/docs.mjs")], {
    cwd: CHECKOUT,
    env: { ...process.env, EVENT_DATASETS_SITE: folder, EVENT_DATASETS_REPOSITORY: "", NODE_ENV: "production" },
  });
  server = createServer(sendFile);
  port = await listen(server);
  reader = await visit(browser, addressOf("index"));
});

afterAll(() => void server?.close());

const contentTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const sendFile: Parameters<typeof createServer>[1] = async ({ url = "" }, response) => {
  const { pathname } = new URL(url, "http://localhost");
  const file = path.join(folder, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
  const content = await readFile(file).catch(() => undefined);
  const headers = { "content-type": contentTypes[path.extname(file)] ?? "", "cache-control": "max-age=3600" };
  response.writeHead(content ? 200 : 404, headers).end(content);
};

const addressOf = (page: string) => `http://127.0.0.1:${port}/${page}.html`;

const written = pagesOfSite().map((file) => file.replace(/^docs\/(.*)\.md$/, "$1"));
const pages = [...written, generated.page, "reference/api/sdk"];

/** Whether a page fits depends on the width alone, and its colours on the scheme alone. */
const looks = [
  [1280, "light"],
  [1024, "light"],
  [768, "light"],
  [390, "dark"],
] as const;
type Look = readonly [width: number, scheme: "light" | "dark"];
/** The bar, the sidebar and the outline, of which each width shows only some, are the same on all pages. */
const otherLooks = [
  [1280, "dark"],
  [390, "light"],
] as const;

/** The site follows the browser's colour scheme, and no colour is on its way to another. */
async function take(page: Page, [width, colorScheme]: Look): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.locator(`html${colorScheme === "dark" ? ".dark" : ":not(.dark)"}`).waitFor();
}

async function expectReadable(name: string, looks: readonly Look[]): Promise<void> {
  const { page, problems } = reader;
  const earlier = problems.length;
  await page.goto(addressOf(name));
  await page.addStyleTag({ content: "* { transition: none !important }" });
  const found: Record<string, string[]> = {};
  for (const [at, look] of looks.entries()) {
    await take(page, look);
    const isNew = !looks.slice(0, at).some(([, scheme]) => scheme === look[1]);
    const pale = isNew ? await contrastsOf(page) : [];
    const poor = [...(await overflowOf(page)), ...(await clippedOf(page)), ...pale];
    if (poor.length > 0) found[look.join(" ")] = poor;
  }
  expect(found).toEqual({});
  expect(problems.slice(earlier)).toEqual([]);
}

test.each(pages)("%s fits and can be read at every width, light and dark", (name) => expectReadable(name, looks));

test.each(["index", "commandLine", "reference/resources"])("so does %s in the other colours", (name) =>
  expectReadable(name, otherLooks),
);

test.each([
  ["rotate a token", /^\/guides\/rotate\.html/],
  ["token leaked", /^\/guides\/leakedToken\.html/],
  ["connect to Axiom", /^\/quickStart\.html#connect-to-axiom/],
  ["changelog", /^\/reference\/settings\.html#changes/],
  ["license", /^\/reference\/settings\.html#licence/],
  ["expires_in", /^\/reference\/resources\.html/],
])("a search for %j leads to the page about it first", async (words, expected) => {
  const { page } = reader;
  await page.goto(addressOf("index"));
  await take(page, looks[0]);
  // The box begins with the last search of this tab, whose results may still be there.
  await page.evaluate(() => sessionStorage.clear());
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox").fill(words);
  await expect(page.locator(".result").first().getAttribute("href")).resolves.toMatch(expected);
});

/** The colour of a picture's middle at its upper edge, as it is on the screen. */
async function colourOf(page: Page, picture: Locator): Promise<number[]> {
  const screenshot = await picture.screenshot();
  return page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas?.drawImage(bitmap, 0, 0);
    return [...(canvas?.getImageData(bitmap.width / 2, 2, 1, 1).data ?? [])].slice(0, 3);
  }, screenshot.toString("base64"));
}

test("pictures follow the switch of the site, not the browser", async () => {
  await using site = await visit(browser, addressOf("emulator"), { width: 1280 });
  const { page } = site;
  const pictures = page.locator(".vp-doc img:visible");
  for (const expected of ["light", "dark"]) {
    const count = await pictures.count();
    expect(count).toBeGreaterThan(0);
    for (let index = 0; index < count; index++) {
      const brightness = Math.max(...(await colourOf(page, pictures.nth(index))));
      expect([index, brightness > 128 ? "light" : "dark"]).toEqual([index, expected]);
    }
    await page.getByRole("switch").click();
  }
});

test("a language is one choice for all tabs and tables, also on the next page and at the next visit", async () => {
  await using site = await visit(browser, addressOf("reference/resources"), { width: 1280 });
  const { page } = site;
  const shown = () => page.locator(".vp-code-group .tabs input:checked + label").allTextContents();
  const name = page.locator("td code", { hasText: "rotate_before" }).first();
  const spelled = () => name.locator("span:visible").allTextContents();
  expect(new Set(await shown())).toEqual(new Set(["TypeScript"]));
  await expect(spelled()).resolves.toEqual(["rotateBefore"]);
  await page.locator(".vp-code-group label", { hasText: "Python" }).first().click();
  for (const next of ["reference/resources", "guides/rotate"]) {
    await page.goto(addressOf(next));
    await page.locator("html[data-language=python]").waitFor();
    await page.locator(".vp-code-group input:checked + label", { hasText: "Python" }).first().waitFor();
    expect(new Set(await shown())).toEqual(new Set(["Python"]));
  }
  await page.getByRole("link", { name: "Mark deployments" }).first().click();
  await page.locator(".vp-code-group input:checked + label", { hasText: "Python" }).first().waitFor();
  await page.goto(addressOf("reference/resources"));
  await page.locator("html[data-language=python]").waitFor();
  await expect(spelled()).resolves.toEqual(["rotate_before"]);
});

describe("the files of the site", () => {
  test("load nothing from elsewhere, and lead to no repository while none is set", async () => {
    const files = (await readdir(folder, { recursive: true })).filter((file) => /\.(html|css)$/.test(file));
    expect(files.length).toBeGreaterThan(pages.length);
    const foreign: string[] = [];
    for (const file of files) {
      const text = await readFile(path.join(folder, file), "utf8");
      const loads =
        /<(?:script|link|img|iframe|source)\b[^>]*?\b(?:src|href)="((?:https?:)?\/\/[^"]*)"|url\(["']?((?:https?:)?\/\/[^)"']*)/g;
      for (const [, element, style] of text.matchAll(loads)) foreign.push(`${file}: ${element ?? style}`);
      if (/href="[^"]*\.\.\/(?:examples|SECURITY)/.test(text)) foreign.push(`${file}: leads out of the site`);
    }
    expect(foreign).toEqual([]);
  });

  test("have each page as Markdown too, and llms.txt, which lists them", async () => {
    const list = await readFile(path.join(folder, "llms.txt"), "utf8");
    expect([...list.matchAll(/\]\((.*)\.md\): [A-Z]/g)].map(([, page = ""]) => page).sort()).toEqual(
      [...written].sort(),
    );
    for (const page of written) {
      const text = await readFile(path.join(folder, `${page}.md`), "utf8");
      expect([page, /^# .+/.test(text), /<!-- (end|before this code)/.test(text)]).toEqual([page, true, false]);
      expect(await readFile(path.join(folder, `${page}.html`), "utf8")).toContain(
        `type="text/markdown" href="/${page}.md"`,
      );
    }
  });

  test("are every page, with an icon, and do not repeat which interface a member implements", async () => {
    for (const page of pages) {
      const text = await readFile(path.join(folder, `${page}.html`), "utf8");
      expect([page, /<link rel="icon" href="data:image\/svg\+xml,/.test(text)]).toEqual([page, true]);
      expect([page, text.includes("Implementation of")]).toEqual([page, false]);
    }
  });
});
