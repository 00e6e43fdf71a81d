export { eventDatasetsPolicies, type PolicyPackOptions } from "./policies";
