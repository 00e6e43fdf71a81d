import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { createWorkspace, type Workspace } from "./engine";
import { useWarmHosts, WarmHosts } from "./warmHosts";

useWarmHosts();

/** The line of a program that keeps the id of its process, for one whose command fails. */
const keepId = `require("node:fs").writeFileSync("pid", String(process.pid));`;
const keptId = async ({ program }: Workspace) => Number(await readFile(path.join(program, "pid"), "utf8"));

test("a program leaves nothing behind for the next one in its host", async () => {
  await using _ = await WarmHosts.start(); // of its own, so that both programs get the same host
  const untidy = `process.env.LEFT = "by the first";
setInterval(() => { process.env.LEFT = "by its timer"; }, 1).unref();
process.chdir("/");
exports.pid = process.pid;`;
  await using first = await createWorkspace({ program: { "index.js": untidy } });
  await first.up();
  const tidy = `module.exports = async () => {
  let ticks = 0;
  await new Promise((resolve) => {
    const ticking = setInterval(() => {
      if (++ticks < 20) return;
      clearInterval(ticking);
      resolve();
    }, 5);
  });
  return { pid: process.pid, folder: process.cwd(), left: process.env.LEFT ?? "nothing" };
};`;
  await using second = await createWorkspace({ program: { "index.js": tidy } });
  await second.up();
  const { pid } = await first.outputs();
  expect(await second.outputs()).toEqual({ pid, folder: second.program, left: "nothing" });
});

test("a program that waits forever when its command fails, with a line of its log, does not hold up the next one in its host", async () => {
  await using _ = await WarmHosts.start(); // of its own, so that both programs get the same host
  const waiting = `${keepId}
const pulumi = require("@pulumi/pulumi");
const { ApiToken } = require("pulumi-event-datasets");
const refused = new ApiToken("refused", { expiresIn: "later" });
void pulumi.log.info("a line that waits for its resource", refused);
module.exports = () => new Promise(() => {});`;
  await using first = await createWorkspace({ program: { "index.js": waiting } });
  await first.up({ expectFailure: true });
  const logging = `require("@pulumi/pulumi").log.info("a line of the second");
exports.pid = process.pid;`;
  await using second = await createWorkspace({ program: { "index.js": logging } });
  expect((await second.up()).stdout).toContain("a line of the second");
  const { pid } = await second.outputs();
  expect(pid).toBe(await keptId(first));
});
