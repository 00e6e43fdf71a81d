/** Steps of a person on the emulator's page. */
import { type Browser, type Page, type Visit, type VisitOptions, visit } from "../support/browser";
import type { Served } from "./pageWorld";

export const views = ["Tokens", "Requests", "Annotations", "Query"] as const;
export type Name = (typeof views)[number];

export async function logIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Root token").fill(token);
  await page.keyboard.press("Enter");
}

/** The page with the token given, at one of its views. */
export async function open(
  browser: Browser,
  { url, rootToken }: Served,
  name: Name = "Tokens",
  options: VisitOptions = {},
): Promise<Visit> {
  const opened = await visit(browser, `${url}/#${name.toLowerCase()}`, options);
  await logIn(opened.page, rootToken);
  await opened.page.getByRole("heading", { level: 2, name }).waitFor();
  return opened;
}

export async function run(page: Page, apl: string): Promise<void> {
  await page.getByLabel("Query (APL)").fill(apl);
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("status").filter({ hasText: "rows" }).or(page.locator("strong.problem")).waitFor();
}
