import { createAnnotation, deleteAnnotation, getAnnotation, listAnnotations, updateAnnotation } from "./annotations";
import { ingest } from "./ingest";
import { queryApl, queryDataset } from "./queries";
import type { Access, Route } from "./routing";
import { createToken, deleteToken, getToken, listTokens, regenerateToken } from "./tokens";

const tokens = (action: string): Access => ({ key: "apiTokens", action });
const annotations = (action: string): Access => ({ key: "annotations", action });

const dataset = (datasetKey: string, action: string): Access => ({ datasetKey, action });

const documented = { profile: "documented" } as const;
const extended = { profile: "extended" } as const;

/** No limit is documented; a body of the documented fields is far smaller than this. */
const json = { body: { maxBytes: 1024 * 1024 } } as const;
const events = { raw: { maxBytes: 64 * 1024 * 1024 } } as const;
const ingestOptions = { query: ["timestamp-field", "timestamp-format", "csv-delimiter"] } as const;
/** `nocache` is accepted and has no effect: responses are never cached. */
const format = { extendedQuery: ["format", "nocache"] } as const;
const uncached = { extendedQuery: ["nocache"] } as const;
const period = { query: ["datasets", "start", "end"] } as const;

const health: Route["handler"] = () => ({ status: 200, body: { status: "ok" } });

/** The whole interface. */
// biome-ignore format: a table
export const routes: readonly Route[] = [
  { method: "GET", path: "/health", access: "anyone", ...documented, handler: health },

  { method: "POST", path: "/v2/tokens", access: tokens("create"), ...documented, ...json, handler: createToken },
  { method: "GET", path: "/v2/tokens", access: tokens("read"), ...documented, handler: listTokens },
  { method: "GET", path: "/v2/tokens/{id}", access: tokens("read"), ...documented, handler: getToken },
  { method: "DELETE", path: "/v2/tokens/{id}", access: tokens("delete"), ...extended, handler: deleteToken },
  { method: "POST", path: "/v2/tokens/{id}/regenerate", access: tokens("update"), ...extended, ...json, handler: regenerateToken },

  { method: "POST", path: "/v2/annotations", access: annotations("create"), ...documented, ...json, handler: createAnnotation },
  { method: "GET", path: "/v2/annotations", access: annotations("read"), ...extended, ...period, handler: listAnnotations },
  { method: "GET", path: "/v2/annotations/{id}", access: annotations("read"), ...extended, handler: getAnnotation },
  { method: "PUT", path: "/v2/annotations/{id}", access: annotations("update"), ...extended, ...json, handler: updateAnnotation },
  { method: "DELETE", path: "/v2/annotations/{id}", access: annotations("delete"), ...extended, handler: deleteAnnotation },

  { method: "POST", path: "/v1/datasets/_apl", access: "token", ...documented, ...json, ...format, handler: queryApl },
  { method: "POST", path: "/v1/datasets/{id}/query", access: dataset("query", "read"), ...documented, ...json, ...uncached, handler: queryDataset },
  { method: "POST", path: "/v1/datasets/{id}/ingest", access: dataset("ingest", "create"), ...extended, ...events, ...ingestOptions, handler: ingest },
];
