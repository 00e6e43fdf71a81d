import { expect, test } from "@jest/globals";
import { selectTokens, type Token, type TokenFilter } from "../../sdk";

const now = new Date("2026-11-21T12:00:00Z");
const tokens: Token[] = [
  { id: "4", name: "web", expiresAt: "2026-12-01T00:00:00Z", orgCapabilities: { apiTokens: ["read"] } },
  {
    id: "2",
    name: "ci",
    expiresAt: "2026-11-21T11:59:59Z",
    datasetCapabilities: { "a/b": { query: ["read"], ingest: [] } },
  },
  { id: "3", name: "web", orgCapabilities: { apiTokens: ["create", "read"], rbac: [] } },
  {
    id: "1",
    name: "ci-2",
    expiresAt: "2030-01-01T00:00:00+00:00",
    orgCapabilities: { rbac: ["delete"] },
    datasetCapabilities: { "*": { trim: ["update"] } },
  },
];

test.each<[TokenFilter, string[]]>([
  [{}, ["2", "1", "3", "4"]],
  [{ name: "web" }, ["3", "4"]],
  [{ namePrefix: "ci" }, ["2", "1"]],
  [{ expired: true }, ["2"]],
  [{ expired: false }, ["1", "3", "4"]],
  [{ expiringWithin: "14d" }, ["4"]],
  [{ expiringWithin: "P10Y" }, ["1", "4"]],
  [{ withoutExpiry: true }, ["3"]],
  [{ capability: "apiTokens:create" }, ["3"]],
  [{ capability: "apiTokens" }, ["3", "4"]],
  [{ capability: "a/b/query:read" }, ["2"]],
  [{ capability: "a/b/ingest" }, []],
  [{ capability: "web/trim:update" }, ["1"]],
  [{ capability: "web/trim:delete" }, []],
  [{ capability: "constructor" }, []],
  [{ name: "web", capability: "apiTokens:create", expired: false }, ["3"]],
])("%j selects %j, by name and then by id", (filter, ids) => {
  expect(selectTokens(tokens, filter, now).map(({ id }) => id)).toEqual(ids);
});

test.each<[TokenFilter, string]>([
  [{ expiringWithin: "soon" }, "expiringWithin must be a duration"],
  [{ expiringWithin: "P9999Y" }, "expiringWithin must be a duration"],
  [{ capability: "a:b:c" }, "capability must look like"],
])("%j is refused", (filter, message) => {
  expect(() => selectTokens(tokens, filter, now)).toThrow(message);
});
