import { createAnnotation, listAnnotations, updateAnnotation } from "./annotations";
import { audited } from "./auditLog";
import {
  createDataset,
  createMapField,
  deleteDataset,
  deleteMapField,
  getDataset,
  listDatasets,
  listMapFields,
  replaceMapFields,
  trimDataset,
  updateDataset,
  vacuumDataset,
} from "./datasets";
import { ingest } from "./ingest";
import { queryApl, queryDataset } from "./queries";
import type { Access, Handler, Route } from "./routing";
import { createToken, listTokens, regenerateToken } from "./tokens";
import { readObject, readQuery } from "./unset";

const tokens = (action: string): Access => ({ key: "apiTokens", action });
const annotations = (action: string): Access => ({ key: "annotations", action });

const datasets = (action: string): Access => ({ key: "datasets", action });
const dataset = (datasetKey: string, action: string): Access => ({ datasetKey, action });

const documented = { profile: "documented" } as const;
const extended = { profile: "extended" } as const;

/** No limit is documented; a body of the documented fields is far smaller than this. */
const maxBytes = 1024 * 1024;
const json = { body: { maxBytes, read: readObject } } as const;
const search = { body: { maxBytes, read: readQuery } } as const;
/** A body that is not a JSON object, or none. */
const unread = { raw: { maxBytes } } as const;
const events = { raw: { maxBytes: 64 * 1024 * 1024 } } as const;
const ingestOptions = { query: ["timestamp-field", "timestamp-format", "csv-delimiter"] } as const;
/** Only `format` has an effect: no response is cached, no query is saved, and nothing records a query's source. */
const format = {
  extendedQuery: [
    "format",
    "nocache",
    "saveAsKind",
    "dataset_name",
    "id",
    "streaming-duration",
    "apl-source",
    "apl-source-id",
  ],
} as const;
const uncached = { extendedQuery: ["nocache", "saveAsKind", "streaming-duration"] } as const;
const period = { query: ["datasets", "datasets[]", "start", "end"] } as const;

const health: Handler = () => ({ status: 200, body: { status: "ok" } });

const get =
  (kind: string): Handler =>
  ({ store }, { params: { id = "" } }) => ({ status: 200, body: store.get(kind, id) });

const remove =
  (kind: string): Handler =>
  ({ store }, { params: { id = "" } }) => {
    store.remove(kind, id);
    return { status: 204 };
  };

/** Older clients send the same requests below `/v1`. */
// biome-ignore format: a table
const datasetRoutes = ["/v2/datasets", "/v1/datasets"].flatMap((path): readonly Route[] => [
  { method: "GET", path, access: datasets("read"), ...extended, handler: listDatasets },
  { method: "POST", path, access: datasets("create"), ...extended, ...json, handler: createDataset },
  { method: "GET", path: `${path}/{id}`, access: datasets("read"), ...extended, handler: getDataset },
  { method: "PUT", path: `${path}/{id}`, access: datasets("update"), ...extended, ...json, handler: updateDataset },
  { method: "DELETE", path: `${path}/{id}`, access: datasets("delete"), ...extended, handler: deleteDataset },
  { method: "POST", path: `${path}/{id}/trim`, access: dataset("trim", "update"), ...extended, ...json, handler: trimDataset },
  { method: "POST", path: `${path}/{id}/vacuum`, access: dataset("vacuum", "update"), ...extended, ...unread, handler: vacuumDataset },
  { method: "GET", path: `${path}/{id}/mapfields`, access: datasets("read"), ...extended, handler: listMapFields },
  { method: "PUT", path: `${path}/{id}/mapfields`, access: datasets("update"), ...extended, ...unread, handler: replaceMapFields },
  { method: "POST", path: `${path}/{id}/mapfields`, access: datasets("update"), ...extended, ...json, handler: createMapField },
  { method: "DELETE", path: `${path}/{id}/mapfields/{name}`, access: datasets("update"), ...extended, handler: deleteMapField },
]);

/**
 * The whole interface. An edge deployment has two more paths, at a host of its own (public documentation, "Edge deployments"; the
 * vendor's OpenAPI files `v1-edge-query` and `v1-edge-ingest`): `/v1/query/_apl` and `/v1/ingest/{dataset}`, with the same bodies.
 */
// biome-ignore format: a table
export const routes: readonly Route[] = [
  { method: "GET", path: "/health", access: "anyone", ...documented, handler: health },

  { method: "POST", path: "/v2/tokens", access: tokens("create"), ...documented, ...json, handler: audited("createAPIToken", createToken) },
  { method: "GET", path: "/v2/tokens", access: tokens("read"), ...documented, handler: listTokens },
  { method: "GET", path: "/v2/tokens/{id}", access: tokens("read"), ...documented, handler: get("token") },
  { method: "DELETE", path: "/v2/tokens/{id}", access: tokens("delete"), ...extended, handler: audited("deleteAPIToken", remove("token")) },
  { method: "POST", path: "/v2/tokens/{id}/regenerate", access: tokens("update"), ...extended, ...json, handler: audited("regenerateAPIToken", regenerateToken) },

  { method: "POST", path: "/v2/annotations", access: annotations("create"), ...documented, ...json, handler: createAnnotation },
  { method: "GET", path: "/v2/annotations", access: annotations("read"), ...extended, ...period, handler: listAnnotations },
  { method: "GET", path: "/v2/annotations/{id}", access: annotations("read"), ...extended, handler: get("annotation") },
  { method: "PUT", path: "/v2/annotations/{id}", access: annotations("update"), ...extended, ...json, handler: updateAnnotation },
  { method: "DELETE", path: "/v2/annotations/{id}", access: annotations("delete"), ...extended, handler: remove("annotation") },

  ...datasetRoutes,

  { method: "POST", path: "/v1/datasets/_apl", access: "token", ...documented, ...search, ...format, handler: queryApl },
  { method: "POST", path: "/v1/query/_apl", access: "token", ...extended, ...search, ...format, handler: queryApl },
  { method: "POST", path: "/v1/datasets/{id}/query", access: dataset("query", "read"), ...documented, ...search, ...uncached, handler: queryDataset },
  { method: "POST", path: "/v1/datasets/{id}/ingest", access: dataset("ingest", "create"), ...extended, ...events, ...ingestOptions, handler: ingest },
  { method: "POST", path: "/v1/ingest/{id}", access: dataset("ingest", "create"), ...extended, ...events, ...ingestOptions, handler: ingest },
];
