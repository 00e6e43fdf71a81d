import { randomUUID } from "node:crypto";
import type { EventDatasets, OperationName } from "../../sdk";

/** How a call may be repeated. */
export type Kind = "create" | "repeatable" | "delete" | "query";

export interface ClientOperation {
  readonly kind: Kind;
  /** Its request, as "GET /v2/tokens/*"; the `*` stands for an id. */
  readonly line: string;
  readonly run: (client: EventDatasets, ids: Ids) => Promise<unknown>;
}

/** The kinds of objects that have an id. */
type Kinds = { [Name in OperationName]: Name extends `${infer Of}.get` ? Of : never }[OperationName];

/** Objects that exist before the call. */
export type Ids = Readonly<Record<Kinds, string>>;

const range = { startTime: "2026-11-20T00:00:00Z", endTime: "2026-11-21T00:00:00Z" };
const marker = { datasets: ["web"], type: "deploy", title: "1.4" };

const operation = (line: string, kind: Kind, run: ClientOperation["run"]): ClientOperation => ({ kind, line, run });

/** Of a dataset that does not exist yet: names are unique. */
const newName = () => `made-${randomUUID()}`;

/** Every operation of the client. */
export const clientOperations = {
  "tokens.create": operation("POST /v2/tokens", "create", (client) => client.tokens.create({ name: "ci" })),
  "tokens.get": operation("GET /v2/tokens/*", "repeatable", (client, { tokens }) => client.tokens.get(tokens)),
  "tokens.list": operation("GET /v2/tokens", "repeatable", (client) => client.tokens.list()),
  "tokens.regenerate": operation("POST /v2/tokens/*/regenerate", "create", (client, { tokens }) =>
    client.tokens.regenerate(tokens, { existingTokenExpiresAt: "2099-01-01T00:00:00Z" }),
  ),
  "tokens.delete": operation("DELETE /v2/tokens/*", "delete", (client, { tokens }) => client.tokens.delete(tokens)),
  "annotations.create": operation("POST /v2/annotations", "create", (client) => client.annotations.create(marker)),
  "annotations.get": operation("GET /v2/annotations/*", "repeatable", (client, { annotations }) =>
    client.annotations.get(annotations),
  ),
  "annotations.list": operation("GET /v2/annotations", "repeatable", (client) => client.annotations.list()),
  "annotations.update": operation("PUT /v2/annotations/*", "repeatable", (client, { annotations }) =>
    client.annotations.update(annotations, { title: "1.5" }),
  ),
  "annotations.delete": operation("DELETE /v2/annotations/*", "delete", (client, { annotations }) =>
    client.annotations.delete(annotations),
  ),
  "datasets.create": operation("POST /v2/datasets", "create", (client) => client.datasets.create({ name: newName() })),
  "datasets.get": operation("GET /v2/datasets/*", "repeatable", (client, { datasets }) =>
    client.datasets.get(datasets),
  ),
  "datasets.list": operation("GET /v2/datasets", "repeatable", (client) => client.datasets.list()),
  "datasets.update": operation("PUT /v2/datasets/*", "repeatable", (client, { datasets }) =>
    client.datasets.update(datasets, { description: "changed" }),
  ),
  "datasets.delete": operation("DELETE /v2/datasets/*", "delete", (client, { datasets }) =>
    client.datasets.delete(datasets),
  ),
  "queries.apl": operation("POST /v1/datasets/_apl", "query", (client) => client.queries.apl({ apl: "web", ...range })),
  "queries.dataset": operation("POST /v1/datasets/web/query", "query", (client) =>
    client.queries.dataset("web", { ...range, resolution: "auto" }),
  ),
} as const satisfies Record<OperationName, ClientOperation>;

export type ClientOperationName = OperationName;
export const clientOperationNames = Object.keys(clientOperations) as ClientOperationName[];
export const operationsWithId = clientOperationNames.filter((name) => clientOperations[name].line.includes("*"));

const kinds = clientOperationNames.flatMap((name) => (name.endsWith(".get") ? [name.slice(0, -".get".length)] : []));

/** The same id for every kind of object. */
export const sameId = (id: string) => Object.fromEntries(kinds.map((kind) => [kind, id])) as Ids;

/** Creates an object of every kind. */
export async function makeObjects(client: EventDatasets): Promise<Ids> {
  const create = (kind: string) => clientOperations[`${kind}.create` as "tokens.create"].run(client, sameId(""));
  const made = kinds.map(async (kind) => [kind, ((await create(kind)) as { readonly id: string }).id]);
  return Object.fromEntries(await Promise.all(made));
}
