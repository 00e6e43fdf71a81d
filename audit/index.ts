export { type AuditOptions, type AuditResult, type AuditSummary, auditTokens, fails } from "./audit";
export { type Baseline, type BaselineEntry, baselineOf, readBaseline } from "./baseline";
export { byWeight, type Declaration, type Difference, type Finding } from "./findings";
export {
  defaultRestricted,
  type Exception,
  type FailOn,
  failOns,
  type Holder,
  type Policy,
  type Restriction,
  readPolicy,
} from "./policy";
export { rightsInWords } from "./rights";
export { type RuleId, ruleIds, rules, type Severity, severities } from "./rules";
export { readState, type StackState } from "./state";
