import { auditTokens, type Finding } from "../../audit";
import { getToken } from "../../provider/lookups/getToken";
import { getTokens } from "../../provider/lookups/getTokens";
import { queryApl } from "../../provider/lookups/queryApl";
import { queryDataset } from "../../provider/lookups/queryDataset";
import { stackOf } from "../support/states";
import type { LifecycleOperation } from "./operation";

const range = { startTime: "2026-11-20T00:00:00Z", endTime: "2026-11-21T00:00:00Z" };
const reportFailed = () => "failed";

/** The operations that only read: the audit, lookups and queries. */
export const readingOperations: readonly LifecycleOperation[] = [
  {
    name: "audit",
    profile: "documented",
    request: "GET /v2/tokens",
    fine: "audited",
    failing: "could not tell",
    run: async ({ client }, direct) => {
      const { id } = await direct.tokens.create({ name: "there" });
      const recorded = { name: "there", id, outputs: { baseUrl: client.baseUrl } };
      const isMissing = ({ rule, token }: Finding) => rule === "missing" && token.id === id;
      return client.tokens.list().then(
        (live) => {
          const { findings } = auditTokens({
            baseUrl: client.baseUrl,
            live,
            stacks: [stackOf({ tokens: [recorded] })],
          });
          return findings.some(isMissing) ? "taken for missing" : "audited";
        },
        () => "could not tell",
      );
    },
  },
  {
    name: "getToken",
    profile: "documented",
    request: "GET /v2/tokens/*",
    failing: "failed",
    run: async ({ client, warn }, direct) => {
      const { id } = await direct.tokens.create({ name: "looked up" });
      return getToken.query({ client }, { id }, warn).then(() => "found", reportFailed);
    },
  },
  {
    name: "getTokens",
    profile: "documented",
    request: "GET /v2/tokens",
    failing: "failed",
    run: ({ client, warn }) => getTokens.query({ client }, {}, warn).then(() => "found", reportFailed),
  },
  {
    name: "queryApl",
    profile: "documented",
    request: "POST /v1/datasets/_apl",
    fine: "returned",
    failing: "failed",
    run: ({ client, warn }) =>
      queryApl.query({ client }, { apl: "web", ...range }, warn).then(() => "returned", reportFailed),
  },
  {
    name: "queryDataset",
    profile: "documented",
    request: "POST /v1/datasets/*/query",
    fine: "returned",
    failing: "failed",
    run: ({ client, warn }) =>
      queryDataset
        .query({ client }, { dataset: "web", resolution: "auto", ...range }, warn)
        .then(() => "returned", reportFailed),
  },
];
