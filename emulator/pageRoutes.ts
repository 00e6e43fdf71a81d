import { readFile } from "node:fs/promises";
import path from "node:path";
import type { AplRequest } from "./apl";
import { defined } from "./apl/defined";
import { isQueryError } from "./apl/errors";
import { noteDatasets, openDatasets } from "./datasetList";
import { checkShape } from "./fields";
import { HttpError } from "./httpError";
import type { DatasetsResponse, ObjectsResponse, StateResponse } from "./pageResponses";
import { aplShapes } from "./queries";
import type { RecentRequests } from "./recentRequests";
import type { Handler, Route, Service } from "./routing";

/**
 * The content policy of the page: only its own files and this server. Trusted types are required and never created, so no
 * text can become an element.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const headers = {
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

const assets: Readonly<Record<string, readonly [file: string, contentType: string]>> = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/_page/page.js": ["page.js", "text/javascript; charset=utf-8"],
  "/_page/page.css": ["page.css", "text/css; charset=utf-8"],
  "/_page/icon.svg": ["icon.svg", "image/svg+xml"],
};

/** The page's files, which the build puts next to this one. */
const sendAsset =
  (file: string, type: string): Handler =>
  async () => {
    const bytes = await readFile(path.join(__dirname, "page", file)).catch((failure: NodeJS.ErrnoException) => {
      throw failure.code === "ENOENT" ? new HttpError(404, "the page is not built: run npm run build") : failure;
    });
    return { status: 200, headers, content: { type, bytes } };
  };

/** The page at `/`, and the routes that it uses. */
export function pageRoutes(recent: RecentRequests): Route[] {
  const files = Object.entries(assets).flatMap(([path, [file, contentType]]): Route[] =>
    ["GET", "HEAD"].map((method) => ({
      method,
      path,
      access: "anyone",
      profile: "documented",
      isPage: true,
      handler: sendAsset(file, contentType),
    })),
  );
  const data = { access: "root", profile: "documented", isPage: true } as const;
  return [
    ...files,
    { ...data, method: "GET", path: "/_page/state", query: ["revision"], handler: sendState(recent) },
    { ...data, method: "GET", path: "/_page/datasets", handler: measureDatasets },
    { ...data, method: "POST", path: "/_page/query", body: { maxBytes: 1024 * 1024 }, handler: runQuery },
  ];
}

/** Changes with every write of tokens and annotations, and with every new dataset. */
const revisionOf = ({ revision }: Service["store"], { names }: Service["datasets"]): string =>
  `${revision}.${names.length}`;

const sendState =
  (recent: RecentRequests): Handler =>
  async (service, { query }) => {
    const isKnown = query.get("revision") === revisionOf(service.store, service.datasets);
    const objects = isKnown ? undefined : await listObjects(service);
    return {
      status: 200,
      headers,
      body: { requests: recent.requests, ...defined({ objects }) } satisfies StateResponse,
    };
  };

async function listObjects({ store, datasets, profile, now }: Service): Promise<ObjectsResponse> {
  // Tokens and requests are available even if the datasets cannot be opened.
  const names = await datasets.listNames().catch((failure: Error) => {
    if (isQueryError(failure)) return failure;
    throw failure;
  });
  return {
    revision: revisionOf(store, datasets),
    profile,
    now: now().toISOString(),
    tokens: store.list("token"),
    annotations: store.list("annotation"),
    ...(isQueryError(names) ? { datasets: [], problem: names.message } : { datasets: names }),
  };
}

/** The datasets with what they hold, which takes as long as reading all events. */
const measureDatasets: Handler = async (service) => {
  await noteDatasets(service);
  await openDatasets(service);
  const sizes = service.datasets.names.length === 0 ? [] : await service.datasets.run("measure", {});
  const held = new Map(sizes.map((size) => [size.name, size]));
  const body: DatasetsResponse = service.store
    .list("dataset")
    .map((shown) => ({ events: 0, bytes: 0, ...held.get(shown.id), shown }));
  return { status: 200, headers, body };
};

/** A query of any dataset, in the same form in both profiles. */
const runQuery: Handler = async ({ datasets, now }, { body, signal }) => {
  checkShape(body, aplShapes.documented);
  const request = body as unknown as AplRequest;
  const input = { request, format: "tabular", profile: "extended", readable: undefined, now: now() } as const;
  return { status: 200, headers, json: await datasets.run("apl", input, { signal }) };
};
