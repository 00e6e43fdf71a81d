import { expect, test } from "@jest/globals";
import { PartialCreate } from "../../framework/lifecycle";
import { type Form, secret } from "../../framework/testing";
import { counter, stackOf, startCounterService } from "./counterService";
import { hosted, toy } from "./toy";

const forms: Form[] = ["dynamic", "native"];
const program = { visits: counter({ start: 3, label: secret("home") }) };

/** The toy, if its hooks forget which inputs are secret. */
function forgetful(failure?: string) {
  const { lifecycle } = hosted;
  const forget = <T extends object>(bag: T): T => ({ ...bag, secretInputs: undefined });
  const resource: typeof hosted = {
    ...hosted,
    lifecycle: {
      ...lifecycle,
      async create(...args) {
        const { id, state } = await lifecycle.create(...args);
        if (failure !== undefined) throw new PartialCreate(failure, id, forget(state));
        return { id, state: forget(state) };
      },
      async read(...args) {
        const found = await lifecycle.read(...args);
        return found && { state: forget(found.state), ...(found.inputs && { inputs: forget(found.inputs) }) };
      },
    },
  };
  return { ...toy, resources: { Counter: resource } };
}

test.each(forms)("hooks that forget which inputs are secret reveal nothing, in the %s form", async (form) => {
  await using service = await startCounterService();
  const stack = stackOf(service, form, forgetful());
  await stack.run({ command: "up", program });
  const split = (label: string, labelLength: number) => ({
    label: secret(label),
    record: { seen: true },
    secretRecord: secret({ labelLength }),
  });
  expect(stack.find("visits")?.outputs).toMatchObject(split("home", 4));
  service.counters.set("c1", { start: 3, label: "homes" });
  await stack.run({ command: "refresh" });
  expect(stack.find("visits")).toMatchObject({ inputs: { label: secret("homes") }, outputs: split("homes", 5) });
});

test.each(forms)("nor does an object that a failed create left behind, in the %s form", async (form) => {
  await using service = await startCounterService();
  const stack = stackOf(service, form, forgetful("broken"));
  await stack.run({ command: "up", program });
  expect(stack.find("visits")?.outputs).toMatchObject({
    label: secret("home"),
    secretRecord: secret({ labelLength: 4 }),
  });
});
