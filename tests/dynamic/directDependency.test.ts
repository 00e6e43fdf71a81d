import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { CHECKOUT } from "../support/program";

test("a program that cannot load the package from its own folder is told what to install", async () => {
  const program = `const { ApiToken } = require(${JSON.stringify(CHECKOUT)}); new ApiToken("ci");`;
  const run = promisify(execFile)(process.execPath, ["-e", program], { cwd: tmpdir() });
  await expect(run).rejects.toThrow(
    /ApiToken: the package pulumi-event-datasets cannot be loaded .* direct dependency .* npm install pulumi-event-datasets/,
  );
});
