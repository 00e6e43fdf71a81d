import { expect, test } from "@jest/globals";
import { type Command, play } from "../../framework/testing";
import { password, startCounterService } from "./counterService";
import { toy } from "./toy";

// The test on the framework's own page, as an author of a provider writes it.

test.each(["dynamic", "native"] as const)("in the %s form a counter is replaced for another start", async (form) => {
  await using service = await startCounterService();
  const declare = (start: number): Command => ({
    command: "up",
    program: { visits: { type: "Counter", args: { start } } },
  });
  const settings = { default: { address: service.address, password } };
  const steps = [declare(3), declare(4), { command: "destroy" } as const];
  const played = await play(toy, steps, { form, settings });
  expect(played.map(({ calls }) => calls.map(({ hook }) => hook).join(", "))).toEqual([
    "check, create",
    "check, diff, check, create, delete",
    "delete",
  ]);
  expect(played.flatMap(({ failures }) => failures)).toEqual([]);
  expect(service.calls).toEqual(["POST c1", "POST c2", "DELETE c1", "DELETE c2"]);
});
