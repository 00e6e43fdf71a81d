import { withPrintableFailures } from "../values/printable";
import * as audit from "./audit";
import * as terraform from "./foreign";
import * as policy from "./policy";
import * as state from "./state";

export { type AuditedAccount, accountOf } from "./account";
export { type AuditOptions, type AuditResult, type AuditSummary, fails } from "./audit";
export type { Coverage, CoveredStack, Scope, UnreadStack } from "./coverage";
export type {
  OtherResource,
  PendingCreate,
  ResourceWithoutId,
  RunningUpdate,
  StackState,
  StateOrigin,
  UpdateStatus,
} from "./declared";
export { byWeight, type Cure, type Declaration, type Difference, type Finding } from "./findings";
export type { StackIdentity } from "./identity";
export { capabilitiesInWords } from "./liveToken";
export {
  defaultRestricted,
  type Exception,
  type FailOn,
  failOns,
  type Holder,
  type MustRead,
  type Policy,
  type Restriction,
} from "./policy";
export type { CalendarMonth } from "./rotations";
export { type RuleId, ruleIds, rules, type Severity, severities } from "./rules";

// Functions that can throw: their errors can be printed by the Pulumi SDK.

/** Compares live tokens with what stacks declare. */
export const auditTokens = withPrintableFailures(audit.auditTokens);
/** Reads a policy. */
export const readPolicy = withPrintableFailures(policy.readPolicy);
/** Reads what a stack declares from its exported state. */
export const readState = withPrintableFailures(state.readState);
/** Reads what a Terraform or OpenTofu state declares. */
export const readTerraformState = withPrintableFailures(terraform.readTerraformState);
