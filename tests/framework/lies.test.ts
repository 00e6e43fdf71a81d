import { expect, test } from "@jest/globals";
import { defineResource } from "../../framework/definition";
import { made, members, names, text } from "../../framework/shapes";
import { string } from "../../values/jsonType";

// A lie does not compile. Each `@ts-expect-error` is one lie, at the property that it is about.

const facts = { name: "Box", module: "v1/box", insteadOfImport: "make another one" };
const compute = (state: { readonly label?: string }) => state.label;
const limits = members({ perDay: text });

test("a fact that the kind of a property does not have", () => {
  const define = defineResource<object, "boxes.create">();
  const lies = [
    // @ts-expect-error there is no such fact
    define({ ...facts, properties: { label: { is: text, require: true } } }),
    // @ts-expect-error nor such a fact with another letter
    define({ ...facts, properties: { label: { is: text, replace: true } } }),
    // @ts-expect-error an output is declared by nobody
    define({ ...facts, properties: { size: { is: text, kind: "output", required: true } } }),
    // @ts-expect-error an output replaces nothing
    define({ ...facts, properties: { size: { is: text, kind: "output", replaces: true } } }),
    // @ts-expect-error an output has nothing to do with inputs
    define({ ...facts, properties: { size: { is: text, kind: "output", always: true } } }),
    // @ts-expect-error a derived output has to derive from something
    define({ ...facts, properties: { size: { is: text, kind: "derived" } } }),
    // @ts-expect-error an argument is not computed from recorded outputs
    define({ ...facts, properties: { label: { is: text, from: [["label"], compute] } } }),
    // @ts-expect-error an argument is not renewed
    define({ ...facts, properties: { label: { is: text, renewed: () => true } } }),
    // @ts-expect-error no program declares a hint
    define({ ...facts, properties: { place: { is: text, kind: "hint", required: true } } }),
    // @ts-expect-error a hidden text is shown to nobody
    define({ ...facts, properties: { proof: { is: text, kind: "hidden", secret: true } } }),
    // @ts-expect-error only a record has plain members
    define({ ...facts, properties: { label: { is: limits, plain: ["perDay"] } } }),
    // @ts-expect-error there is no such kind
    define({ ...facts, properties: { label: { is: text, kind: "outputs" } } }),
  ];
  expect(lies).toHaveLength(12);
});

test("two hidden properties, and a record of another name", () => {
  const define = defineResource();
  const hidden = { is: text, kind: "hidden" } as const;
  const record = { is: made<{ readonly seen: boolean }>(), kind: "record" } as const;
  const lies = [
    // @ts-expect-error the key has room for one
    define({ ...facts, properties: { proof: hidden, witness: hidden } }),
    // @ts-expect-error the record must be named record
    define({ ...facts, properties: { notes: record } }),
    // @ts-expect-error and nothing else is
    define({ ...facts, properties: { record: { is: text } } }),
  ];
  expect(lies).toHaveLength(3);
});

test("a name that the framework or the engine gives to something else", () => {
  const define = defineResource();
  const lies = [
    // @ts-expect-error it tells resources apart
    define({ ...facts, properties: { key: { is: text, required: true } } }),
    // @ts-expect-error the names of the secret arguments
    define({ ...facts, properties: { secretInputs: { is: names } } }),
    // @ts-expect-error the words of a failed create
    define({ ...facts, properties: { incomplete: { is: text } } }),
    // @ts-expect-error the encrypted part of the record
    define({ ...facts, properties: { secretRecord: { is: text } } }),
    // @ts-expect-error the class of every resource has one
    define({ ...facts, properties: { id: { is: text, kind: "output" } } }),
  ];
  expect(lies).toHaveLength(5);
});

test("an output that is secret because of an output, which no program declares as a secret", () => {
  const define = defineResource();
  const proof = { is: text, kind: "output" } as const;
  // @ts-expect-error it derives from an argument, or from any
  const lie = define({ ...facts, properties: { proof, size: { is: text, kind: "output", derives: "proof" } } });
  expect(lie.properties).toHaveProperty("size");
});

test("a name that is not there", () => {
  const define = defineResource<object, "boxes.create">();
  const record = made<{ readonly seen: boolean }>();
  const lies = [
    // @ts-expect-error of a member of the record
    define({ ...facts, properties: { record: { is: record, kind: "record", plain: ["sean"] } } }),
    // @ts-expect-error of a member that replaces the object
    define({ ...facts, properties: { limits: { is: limits, replaces: ["perWeek"] } } }),
    // @ts-expect-error of a member that is secret
    define({ ...facts, properties: { limits: { is: limits, parts: { perWeek: "secret" } } } }),
    // @ts-expect-error of an argument that the value derives from
    define({ ...facts, properties: { label: { is: text }, size: { is: text, kind: "output", derives: "lable" } } }),
    // @ts-expect-error of an output that it is computed from
    define({ ...facts, properties: { size: { is: text, kind: "derived", from: [["lable"], compute] } } }),
    // @ts-expect-error of an operation
    define({ ...facts, properties: {}, operations: { create: "boxes.creat" } }),
  ];
  expect(lies).toHaveLength(6);
});

test("a fact about a field of the service", () => {
  interface Spec {
    readonly note?: string | undefined;
  }
  const define = defineResource<Spec>({ client: { note: { response: string } }, replaces: true });
  const lies = [
    // @ts-expect-error the service has no such field
    define({ ...facts, fields: { notes: { is: names } }, properties: {} }),
    // @ts-expect-error a field is an argument
    define({ ...facts, fields: { note: { plain: ["a"] } }, properties: {} }),
    // @ts-expect-error there is no such fact
    define({ ...facts, fields: { note: { require: true } }, properties: {} }),
  ];
  expect(lies).toHaveLength(3);
});

test("a migration to another version than the next one's", () => {
  const define = defineResource();
  const properties = { record: { is: made<{ readonly length: number }>(), kind: "record" } } as const;
  const first = ({ size }: { readonly size: string }) => ({ record: { text: size } });
  const second = ({ record }: { readonly record: { readonly text: string } }) => ({
    record: { length: record.text.length },
  });
  expect(define({ ...facts, properties, migrations: [first, second] }).migrations).toHaveLength(2);
  const lies = [
    // @ts-expect-error the last one makes another record than the present one
    define({ ...facts, properties, migrations: [first] }),
    // @ts-expect-error the second one takes another version than the first one makes
    define({ ...facts, properties, migrations: [second, second] }),
  ];
  expect(lies).toHaveLength(2);
});
