import { PolicyPack } from "@pulumi/policy";
import { findPolicy } from "./file";
import { eventDatasetsPolicies } from "./policies";

// "pulumi preview --policy-pack" runs this module, because PulumiPolicy.yaml names it.
try {
  new PolicyPack("event-datasets-policy", { policies: eventDatasetsPolicies(findPolicy(process.cwd(), process.env)) });
} catch (failure) {
  // The engine prints the stack trace, which does not help.
  if (failure instanceof Error) failure.stack = failure.message;
  throw failure;
}
