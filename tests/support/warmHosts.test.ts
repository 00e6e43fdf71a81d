import { expect, test } from "@jest/globals";
import { createWorkspace } from "./engine";
import { useWarmHosts } from "./warmHosts";

useWarmHosts();

test("what a program leaves behind does not happen in the next program's run", async () => {
  const late = `setTimeout(() => Promise.reject(new Error("late")), 300)`;
  const untidy = { "index.js": `${late}.unref(); process.env.LEFT = "behind"; globalThis.console.log("first");` };
  await using first = await createWorkspace({ program: untidy });
  expect((await first.up()).stdout).toContain("first");
  const waits = `module.exports = async () => {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return { left: process.env.LEFT ?? "nothing" };
};`;
  await using second = await createWorkspace({ program: { "index.js": waits } });
  await second.up();
  expect(await second.outputs()).toEqual({ left: "nothing" });
});
