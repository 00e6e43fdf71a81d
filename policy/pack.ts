import { PolicyPack } from "@pulumi/policy";
import { findPolicy } from "./file";
import { eventDatasetsPolicies } from "./policies";

// What "pulumi preview --policy-pack" runs, by way of PulumiPolicy.yaml.
try {
  new PolicyPack("event-datasets-policy", { policies: eventDatasetsPolicies(findPolicy(process.cwd(), process.env)) });
} catch (failure) {
  // The engine prints the stack, which helps nobody.
  if (failure instanceof Error) failure.stack = failure.message;
  throw failure;
}
