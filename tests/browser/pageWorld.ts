import { type Emulator, startEmulator } from "event-datasets-emulator";
import { breakouts } from "../support/audits";
import { hostile } from "../support/hostile";
import { makeFolder } from "../support/suite";
import { type Browser, type Page, type Visit, type VisitOptions, visit } from "./browser";

/** A served emulator, with its built page. */
export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly rootToken: string;
  readonly emulator: Emulator;
  /** Sends "GET /v2/tokens", say, as a program does; with the root token if no other is given. */
  ask(line: string, body?: unknown, token?: string): Promise<Response>;
}

export async function serve(port = "0", rootToken = "root-token-of-the-page-tests"): Promise<Served> {
  const dataDir = makeFolder();
  const emulator = await startEmulator({ dataDir, port: Number(port), profile: "extended", rootToken });
  const { url } = emulator;
  const ask = async (line: string, body?: unknown, token = rootToken) => {
    const [method = "", target = ""] = line.split(" ");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return fetch(`${url}${target}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  };
  return { url, rootToken, emulator, ask, [Symbol.asyncDispose]: () => emulator.crash() };
}

const minute = 60_000;
const day = 24 * 60 * minute;
const now = Date.now();
const after = (ms: number): string => new Date(now + ms).toISOString();

/** Adds an object, also one that the interface would refuse. */
const add = ({ emulator }: Served, kind: "tokens" | "annotations", fields: Record<string, unknown>) =>
  emulator[kind].add([fields]);

/** Six hours of requests to a web shop, with more errors after a deployment. */
function shopEvents() {
  const routes = ["/cart", "/checkout", "/search"];
  return Array.from({ length: 900 }, (_, n) => {
    const at = -6 * 60 * minute + n * 24_000;
    const isBad = at > -70 * minute && at < -38 * minute;
    const quiet = Math.sin(n / 70) > 0.2 && n % 3 === 0;
    if (quiet) return [];
    const status = n % (isBad ? 4 : 41) === 0 ? 500 : 200;
    return [{ _time: after(at), route: routes[n % 3], status, duration_ms: 20 + ((n * 37) % 180) + (isBad ? 120 : 0) }];
  }).flat();
}

/** The objects of a team: tokens, deployments, events, and programs that send requests. */
export async function fillWithSamples(served: Served): Promise<void> {
  const { ask } = served;
  await ask("POST /v1/datasets/shop/ingest", shopEvents());
  const shop = (actions: object) => ({ datasetCapabilities: { shop: actions } });
  const tokens = [
    { name: "checkout-production", expiresAt: after(83 * day), ...shop({ ingest: ["create"], query: ["read"] }) },
    {
      name: "grafana",
      description: "Dashboards of the support team",
      expiresAt: after(9 * day),
      ...shop({ query: ["read"] }),
    },
    {
      name: "ci-audit",
      expiresAt: after(170 * day),
      orgCapabilities: { apiTokens: ["read"], annotations: ["create", "read"] },
    },
    { name: "migration-2025", expiresAt: after(-20 * day), orgCapabilities: { datasets: ["create", "read"] } },
    { name: "old-script", orgCapabilities: { users: ["create", "read", "update", "delete"] } },
  ];
  for (const token of tokens) await add(served, "tokens", token);
  const deploymentMark = (title: string, from: number, to: number, more = {}) => ({
    datasets: ["shop"],
    type: "deployment",
    title,
    time: after(from * minute),
    endTime: after(to * minute),
    ...more,
  });
  const run = { description: "by ci, commit 9f2c11e", url: "https://ci.example.com/run/824" };
  await ask("POST /v2/annotations", deploymentMark("checkout 4.1.0", -252, -243));
  await ask("POST /v2/annotations", deploymentMark("checkout 4.2.0", -78, -70, run));
  const incident = { datasets: ["shop"], type: "incident", title: "checkout fails", time: after(-52 * minute) };
  await ask("POST /v2/annotations", incident);
  await ask("POST /v2/annotations", deploymentMark("back to checkout 4.1.0", -40, -36));
  const spec = { name: "annotate-only", expiresAt: after(30 * day), orgCapabilities: { annotations: ["create"] } };
  const { id, token } = (await (await ask("POST /v2/tokens", spec)).json()) as { id: string; token: string };
  await ask(`GET /v2/tokens/${id}`);
  await ask("POST /v2/annotations", { datasets: ["audit"], type: "deployment", title: "search 1.9.3" }, token);
  await ask("GET /v2/tokens", undefined, token);
  await ask("GET /v2/tokens", undefined, "xaat-of-another-account");
  const errors = "['shop'] | where status == 500 | summarize count()";
  await ask("POST /v1/datasets/_apl?format=tabular", { apl: errors });
  await ask("POST /v1/datasets/_apl?format=tabular", { apl: errors.replace("summarize", "sumarize") });
}

/** Texts that strangers may send; a dataset can have them as names, too. */
export const attacks: readonly string[] = [...hostile.filter(Boolean), ...breakouts].map((text) => text.toWellFormed());

/** Every place of the page in which a stranger's text can stand, with each hostile text. */
export async function fillWithAttacks(served: Served): Promise<void> {
  const first = attacks[0]?.slice(0, 100); // the dataset that the page shows first: all annotations are on it
  for (const text of attacks) {
    const events = [{ _time: after(-minute), [text.slice(0, 80)]: text, text }];
    await served.ask(`POST /v1/datasets/${encodeURIComponent(text.slice(0, 100))}/ingest`, events);
    const rights = { orgCapabilities: { [text]: [text] }, datasetCapabilities: { [text]: { [text]: [text] } } };
    await add(served, "tokens", { name: text, description: text, expiresAt: text, ...rights });
    const names = { type: text, title: text, description: text, url: text, endTime: text };
    await add(served, "annotations", { datasets: [first, text.slice(0, 100), text], time: after(-minute), ...names });
    const made = await served.ask("POST /v2/tokens", { name: text });
    const { token } = (await made.json()) as { token: string };
    await served.ask(`GET /v2/tokens/${encodeURIComponent(text).slice(0, 400)}`, undefined, token);
  }
}

// Steps of a person on the page.

export const views = ["Tokens", "Requests", "Datasets", "Annotations", "Query"] as const;
type Name = (typeof views)[number];

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
