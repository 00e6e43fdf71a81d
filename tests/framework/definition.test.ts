import { expect, test } from "@jest/globals";
import { defineResource } from "../../framework/definition";
import type { Hints } from "../../framework/identity";

interface Args {
  readonly start: number;
  readonly label?: string;
}

interface Inputs extends Args, Hints {}

const about = { name: "Counter", module: "v1/counter", insteadOfImport: "use the plugin" };
const hints = { key: { kind: "hint" }, secretInputs: { kind: "hint" } } as const;
const define = defineResource<Args, Inputs, Inputs>();

test("the compiler refuses a required argument without its mark, and an optional one with it", () => {
  const definitions = [
    define({
      ...about,
      properties: { ...hints, start: { kind: "argument", required: true }, label: { kind: "argument" } },
    }),
    // @ts-expect-error start is required
    define({ ...about, properties: { ...hints, start: { kind: "argument" }, label: { kind: "argument" } } }),
    define({
      ...about,
      properties: {
        ...hints,
        start: { kind: "argument", required: true },
        // @ts-expect-error label is optional
        label: { kind: "argument", required: true },
      },
    }),
  ];
  expect(definitions).toHaveLength(3);
});
