import { RunError } from "@pulumi/pulumi";
import { requireNode } from "../values/nodeVersion";

// Imported first. A RunError is shown without a stack.
try {
  requireNode();
} catch (failure) {
  throw new RunError(`pulumi-event-datasets: ${(failure as Error).message}`);
}
