import { createServer } from "node:http";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { listen } from "../support/service";
import { openForTests } from "../support/suite";
import { startBrowser, strangeName, visit } from "./browser";
import { attacks, fillWithAttacks, logIn, open, type Served, serve, views } from "./pageWorld";

const browser = openForTests(startBrowser);
const sample = openForTests(serve);
const hostile = openForTests(serve);
beforeAll(() => fillWithAttacks(hostile));

describe("the root token", () => {
  test("is asked for once; a wrong one, and one that is not the root token, say so", async () => {
    await using opened = await visit(browser, sample.url);
    const { page } = opened;
    const alert = page.getByRole("alert");
    await logIn(page, "xaat-wrong");
    await alert.getByText("This is not a token of this emulator.").waitFor();
    await logIn(page, "not one\u00e9");
    await alert.getByText("This is not a token of this emulator.").waitFor();
    const made = await sample.ask("POST /v2/tokens", { name: "no root", orgCapabilities: { apiTokens: ["read"] } });
    const { id, token } = (await made.json()) as { id: string; token: string };
    await logIn(page, token);
    await alert.getByText("This token is valid, but it is not the root token.").waitFor();
    await sample.ask(`DELETE /v2/tokens/${id}`);
    expect(await page.getByRole("navigation").count()).toBe(0);
    await logIn(page, sample.rootToken);
    await page.getByRole("navigation").waitFor();
  });

  test("is in no storage, no address, no field, no request but as its credential, and forgotten when asked", async () => {
    await using opened = await open(browser, sample);
    const { page, requests } = opened;
    const readStorage = () =>
      page.evaluate(async () => {
        const databases = await indexedDB.databases();
        const storages = [Object.entries(localStorage), Object.entries(sessionStorage), document.cookie, databases];
        const fields = [...document.querySelectorAll("input, textarea")].map(
          (field) => (field as HTMLInputElement).value,
        );
        const caches = "caches" in globalThis ? await globalThis.caches.keys() : [];
        return JSON.stringify([storages, fields, caches, location.href, history.state, document.title]);
      });
    expect(await readStorage()).not.toContain(sample.rootToken);
    expect((await page.context().storageState()).cookies).toEqual([]);
    expect(requests.join(" ")).not.toContain(sample.rootToken);
    expect(await page.content()).not.toContain(sample.rootToken);
    await page.getByRole("button", { name: "Sign out" }).click();
    expect(await page.getByLabel("Root token").inputValue()).toBe("");
    expect(await page.getByRole("navigation").count()).toBe(0);
    await page.reload();
    await page.getByLabel("Root token").waitFor();
  });
});

describe("names of strangers", () => {
  test.each(views)("stay text in %s, and nothing of them runs or leaves", async (name) => {
    await using opened = await open(browser, hostile, name);
    const { page, requests, problems } = opened;
    if (name === "Query") {
      const query = page.getByLabel("Query (APL)"); // of the first dataset, whatever that is called
      await query.fill((await query.inputValue()).replace(/\n\| summarize.*$/, "\n| take 10"));
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("cell").first().waitFor();
    }
    if (name === "Annotations") {
      const datasets = await page.getByLabel("Dataset").locator("option").count();
      expect(datasets).toBeGreaterThan(attacks.length);
      await page.getByText(`${attacks.length} annotations, events in 1 interval.`).waitFor();
    }
    await page.mouse.move(400, 400);
    const broken = await page.evaluate(() => ({
      title: document.title,
      scripts: document.scripts.length,
      elements: document.querySelectorAll(
        "iframe, img, object, embed, base, meta[http-equiv], style:not([data-x]), [onload], [onerror]",
      ).length,
      links: [...document.links].map(({ protocol }) => protocol).filter((protocol) => !/^https?:$/.test(protocol)),
      hidden: /[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/.test(document.body.textContent ?? ""),
    }));
    const title = `${name} · Event datasets emulator`;
    expect(broken).toEqual({ title, scripts: 1, elements: 0, links: [], hidden: false });
    expect(requests.filter((address) => !address.startsWith(`${hostile.url}/`))).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("are all there, each as it is", async () => {
    await using opened = await open(browser, hostile);
    const shown = await opened.page.locator(".tokens .name").allTextContents();
    for (const text of attacks.filter((one) => /^[\x20-\x7e]+$/.test(one))) expect(shown).toContain(text);
  });
});

describe("the content policy", () => {
  test("refuses inline scripts, styles and handlers, other origins, and text as markup", async () => {
    await using opened = await open(browser, sample);
    const { page, problems } = opened;
    const refused = await page.evaluate(async () => {
      const script = document.createElement("script");
      const attempts = {
        scriptText: () => {
          script.textContent = "document.title = 'broken'";
          document.body.append(script);
        },
        markup: () => {
          document.body.innerHTML = "<img src=x onerror=\"document.title = 'broken'\">";
        },
      };
      const failed = Object.entries(attempts).filter(([, attempt]) => {
        try {
          attempt();
          return false;
        } catch {
          return true;
        }
      });
      const elsewhere = await fetch("http://127.0.0.1:1/").then(
        () => "sent",
        () => "refused",
      );
      return [...failed.map(([name]) => name), elsewhere];
    });
    expect(refused).toEqual(["scriptText", "markup", "refused"]);
    expect(await page.title()).toBe("Tokens · Event datasets emulator");
    expect(problems.filter((text) => /Content Security Policy|Trusted/.test(text)).length).toBeGreaterThanOrEqual(2);
  });

  test("its headers are there, and no frame may show the page", async () => {
    const { headers } = await fetch(sample.url);
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
  });
});

describe("a web page of somebody else in the same browser", () => {
  test("can neither read nor do anything, by its own name or by one that leads here", async () => {
    const requestsBefore = await countRequests(sample);
    const server = createServer((_, response) =>
      response.setHeader("content-type", "text/html").end("<title>evil</title>"),
    );
    const evil = `http://127.0.0.1:${await listen(server)}/`;
    try {
      await using opened = await visit(browser, evil);
      const outcomes = await opened.page.evaluate(
        async ([url = "", token = ""]) => {
          const authorization = `Bearer ${token}`;
          const attempt = (path: string, options: RequestInit) =>
            fetch(`${url}${path}`, options).then(
              (answer) => `${answer.type} ${answer.status}`,
              () => "refused",
            );
          const loaded = (tag: "img" | "script" | "iframe", path: string) =>
            new Promise((resolve) => {
              const element = document.createElement(tag);
              element.onload = () =>
                resolve(
                  tag === "iframe" ? ((element as HTMLIFrameElement).contentDocument?.title ?? "other") : "loaded",
                );
              element.onerror = () => resolve("refused");
              element.src = `${url}${path}`;
              document.body.append(element);
            });
          return [
            await attempt("/_page/state", { headers: { authorization } }), // even with the token
            await attempt("/v2/tokens", { method: "POST", body: "{}", headers: { authorization } }),
            await attempt("/v2/tokens", { method: "POST", body: "{}", mode: "no-cors" }),
            await attempt("/health", {}),
            await loaded("img", "/_page/icon.svg"),
            await loaded("script", "/_page/page.js"),
            await loaded("iframe", "/"),
          ];
        },
        [sample.url, sample.rootToken],
      );
      expect(outcomes).toEqual(["refused", "refused", "opaque 0", "refused", "refused", "refused", "other"]);
      // A name that leads to this machine: same origin for the browser, but the emulator is not called so.
      const response = await opened.page.goto(sample.url.replace("127.0.0.1", strangeName));
      expect(response?.status()).toBe(421);
      const stolen = await opened.page.evaluate(
        (token) =>
          fetch("/_page/state", { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status),
        sample.rootToken,
      );
      expect(stolen).toBe(421);
      // A link to the page is fine.
      await opened.page.goto(evil);
      await opened.page.evaluate((url) => location.assign(url), sample.url);
      await opened.page.getByLabel("Root token").waitFor();
    } finally {
      server.close();
      server.closeAllConnections();
    }
    expect(await countRequests(sample)).toBe(requestsBefore);
  });
});

/** How many requests the emulator has counted as its users'. */
async function countRequests(served: Served): Promise<number> {
  const { requests } = (await (await served.ask("GET /_page/state")).json()) as { requests: readonly unknown[] };
  return requests.length;
}
