import { expect, test } from "@jest/globals";
import { runPulumi } from "../../cli/pulumi";
import { useAuditFolder } from "../support/auditFolder";

const folder = useAuditFolder();

/** Exports a stack with a program in the place of the Pulumi CLI. */
const exportWith = async (script: string, timeLimit?: number) => {
  await folder.write("bin/pulumi", `#!/bin/sh\n${script}\n`, 0o755);
  const env = { PATH: `${folder.path}/bin:${process.env.PATH}` };
  return runPulumi(["stack", "export"], "stack prod", { env }, undefined, timeLimit);
};

test("a CLI that does not end is stopped, and the error names the limit and what to do", async () => {
  await expect(exportWith("exec sleep 600", 500)).rejects.toThrow(
    /^stack prod: the Pulumi CLI did not end within 0\.5 seconds and was stopped: run "pulumi stack export" .*use --state/,
  );
});

test("a CLI that a signal ends is named with the signal", async () => {
  await expect(exportWith("kill -KILL $$")).rejects.toThrow("stack prod: pulumi stack export failed: ended by SIGKILL");
});
