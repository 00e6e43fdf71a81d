import { RunError } from "@pulumi/pulumi";
import { requireNode } from "../values/nodeVersion";

// Before anything else of the package is loaded, so that it is said once for the program. A RunError is shown without a stack.
try {
  requireNode();
} catch (failure) {
  throw new RunError(`pulumi-event-datasets: ${(failure as Error).message}`);
}
