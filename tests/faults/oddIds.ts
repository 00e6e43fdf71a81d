/** Ids that lead to another path, or out of the request. */
export const oddIds: readonly string[] = [
  "",
  ".",
  "..",
  "%2e",
  "%2E%2e",
  "a/b",
  "/",
  "a\r\nHost: evil",
  "a\\b",
  "\u0000",
];
