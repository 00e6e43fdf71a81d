import "./supportedNode";

export type {
  Action,
  AggregationRequest,
  DatasetCapabilities,
  DatasetRecord,
  Filter,
  JsonObject,
  OrgCapabilities,
  OrgCapabilityKey,
  Profile,
  QueryTime,
  Row,
  Token,
} from "../sdk";
export { rows, scalar, totals } from "../sdk/queries/rows";
export * from "./lookups/programs";
export * from "./nouns/resources";
export { Provider, type ProviderArgs } from "./shared/account/provider";
