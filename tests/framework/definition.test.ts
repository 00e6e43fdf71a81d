import { expect, test } from "@jest/globals";
import { type ArgsOf, defineResource, type InputsOf } from "../../framework/definition";
import { integer, text } from "../../framework/shapes";

interface Spec {
  readonly start: number;
  readonly label?: string | undefined;
}

const about = { name: "Counter", module: "v1/counter", insteadOfImport: "use the plugin" };
const define = defineResource<Spec>();

test("the compiler refuses a definition that forgets a field of the service", () => {
  const definitions = [
    define({ ...about, fields: { start: { is: integer, required: true }, label: { is: text } }, properties: {} }),
    define({ ...about, fields: { start: { is: integer } }, properties: { label: { is: text, field: true } } }),
    // @ts-expect-error label is in neither table
    define({ ...about, fields: { start: { is: integer } }, properties: {} }),
  ];
  expect(definitions.map(({ fields }) => fields)).toEqual([["start", "label"], ["label", "start"], ["start"]]);
});

test("a required argument is one of the program's types and of the lifecycle's, too", () => {
  const counter = define({
    ...about,
    fields: { start: { is: integer, required: true }, label: { is: text } },
    properties: { note: { is: text } },
  });
  const args: ArgsOf<typeof counter>[] = [
    { start: 1, label: undefined },
    // @ts-expect-error start is required
    { label: "home" },
    // @ts-expect-error a label is a text
    { start: 1, label: 1 },
  ];
  const inputs: InputsOf<typeof counter>[] = [
    { start: 1, key: "a", note: "x" },
    // @ts-expect-error start is required
    { key: "a" },
  ];
  expect([args.length, inputs.length]).toEqual([3, 2]);
});
