import { expect, test } from "@jest/globals";
import { type ArgsOf, defineResource, type InputsOf, judgeInputs, mayReplace } from "../../framework/definition";
import { names, oneOf, plainShapes } from "../../framework/shapes";
import { boolean, jsonType, number, string, strings } from "../../values/jsonType";

// Fields of a service: what follows from the client's table, and what a resource has to decide.

interface Spec {
  readonly label: string;
  readonly note?: string | undefined;
  readonly days?: number | undefined;
  readonly open?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly mode?: "slow" | "fast" | undefined;
}

const client = {
  label: { response: string },
  note: { response: string },
  days: { response: number },
  open: { response: boolean },
  tags: { response: strings },
  mode: { response: jsonType<"slow" | "fast">("slow or fast", (value) => value === "slow" || value === "fast") },
};
const facts = { name: "Box", module: "v1/box", insteadOfImport: "make another one" };
const mode = { is: oneOf("slow", "fast") } as const;
const tags = { is: names } as const;

const definition = defineResource<Spec>({ client, replaces: true })({
  ...facts,
  fields: { tags, mode, note: { replaces: false } },
  properties: { label: { is: plainShapes.string, required: true } },
});

test("an optional text, number or boolean of the client has the shape of its reader and the default for replacements", () => {
  const { fields, properties } = definition;
  expect(fields).toEqual(Object.keys(client));
  const shapes = Object.entries(plainShapes).map(([, shape]) => shape);
  expect([properties.note?.is, properties.days?.is, properties.open?.is]).toEqual(shapes);
  expect(fields.filter((field) => mayReplace({ ...properties[field] }, {}))).toEqual(["days", "open", "tags", "mode"]);
});

test("its rule is that of its shape", () => {
  const wrong = { key: "a", label: "a", note: 1, days: Number.POSITIVE_INFINITY, open: "yes" };
  expect(judgeInputs(definition, wrong).map(({ property, reason }) => `${property} ${reason}`)).toEqual([
    "note must be a string",
    "days must be a finite number",
    "open must be true or false",
  ]);
});

test("its types are those of the client", () => {
  const args: ArgsOf<typeof definition> = { label: "a", note: Promise.resolve("b"), days: 1, open: true };
  // @ts-expect-error a text is no number
  const wrong: ArgsOf<typeof definition> = { label: "a", days: "1" };
  // @ts-expect-error the label is required
  const without: ArgsOf<typeof definition> = { note: "a" };
  const inputs: InputsOf<typeof definition> = { key: "a", label: "a", days: 1 };
  // @ts-expect-error so it is for a lifecycle
  const missing: InputsOf<typeof definition> = { key: "a", days: 1 };
  expect([args, wrong, without, inputs, missing]).toHaveLength(5);
});

test("a field that a resource has to decide about does not compile without it", () => {
  const label = { is: plainShapes.string, required: true } as const;
  const define = defineResource<Spec>({ client, replaces: true });
  // @ts-expect-error a required field
  expect(define({ ...facts, fields: { tags, mode }, properties: {} })).toBeDefined();
  // @ts-expect-error whether the order of a list counts
  expect(define({ ...facts, fields: { mode }, properties: { label } })).toBeDefined();
  // @ts-expect-error which words there are
  expect(define({ ...facts, fields: { tags }, properties: { label } })).toBeDefined();
  // @ts-expect-error a required field needs a shape, too
  expect(define({ ...facts, fields: { tags, mode, label: { required: true } }, properties: {} })).toBeDefined();
  // @ts-expect-error whether a change replaces the object
  expect(defineResource<Spec>({ client })).toBeDefined();
  // @ts-expect-error a field without a reader
  expect(defineResource<Spec>({ client: { ...client, note: undefined }, replaces: true })).toBeDefined();
});
