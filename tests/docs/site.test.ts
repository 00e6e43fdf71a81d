import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { CHECKOUT } from "../support/program";
import { pagesOfSite } from "./markdown";

let site = "";

beforeAll(async () => {
  site = await mkdtemp(path.join(tmpdir(), "event-datasets-site-"));
  // The reference of every export takes as long again, and is not what breaks.
  await promisify(execFile)(process.execPath, [path.join(CHECKOUT, "scripts/docs.mjs"), "--without-api"], {
    cwd: CHECKOUT,
    env: { ...process.env, EVENT_DATASETS_SITE: site, EVENT_DATASETS_REPOSITORY: "", NODE_ENV: "production" },
  });
});

afterAll(() => rm(site, { recursive: true, force: true }));

test("the site has every page, and the search is a part of it", async () => {
  const missing = pagesOfSite().filter(
    (page) => !existsSync(path.join(site, page.replace(/^docs\/(.*)\.md$/, "$1.html"))),
  );
  expect(missing).toEqual([]);
  const files = await readdir(site, { recursive: true });
  expect(files.filter((file) => /localSearchIndex/.test(file))).not.toEqual([]);
});

test("no page loads anything from elsewhere, or leads to where the code is while nobody has said where that is", async () => {
  const files = (await readdir(site, { recursive: true })).filter((file) => /\.(html|css)$/.test(file));
  expect(files.length).toBeGreaterThan(30);
  const foreign: string[] = [];
  for (const file of files) {
    const text = await readFile(path.join(site, file), "utf8");
    const loads =
      /<(?:script|link|img|iframe|source)\b[^>]*?\b(?:src|href)="((?:https?:)?\/\/[^"]*)"|url\(["']?((?:https?:)?\/\/[^)"']*)/g;
    for (const [, element, style] of text.matchAll(loads)) foreign.push(`${file}: ${element ?? style}`);
    if (/href="[^"]*\.\.\/(?:examples|SECURITY)/.test(text)) foreign.push(`${file}: leads out of the site`);
  }
  expect(foreign).toEqual([]);
});
