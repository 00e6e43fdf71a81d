import { describe, expect, test } from "@jest/globals";
import { defineResource } from "../../framework/definition";
import { connectBy, host } from "../../framework/host";
import type { Bag } from "../../framework/lifecycle";
import type { ProviderPackage } from "../../framework/package";
import { provider } from "../../framework/provider";
import { duration, integer, made, members, names, nonEmptyText, text } from "../../framework/shapes";
import { type Form, play, secret } from "../../framework/testing";

// An unchanged program changes nothing, whatever kinds of properties a resource has.

const own: ProviderPackage = { npm: "boxes", namespace: "boxes", settings: { address: { required: true } } };
const connect = connectBy(own, () => ({}));

const definition = defineResource()({
  name: "Box",
  module: "v1/box",
  properties: {
    label: { is: nonEmptyText, required: true, replaces: true },
    tags: { is: names },
    every: { is: duration },
    limits: { is: members({ perDay: integer, password: text }), parts: { password: "secret" } },
    startTime: { is: integer, computed: true, replaces: true },
    name: { is: nonEmptyText, always: true, computed: true, generated: () => true },
    place: { is: text, kind: "hint" },
    size: { is: integer, kind: "output", always: "output", derives: true },
    password: { is: text, kind: "output", secret: true },
    summary: {
      is: text,
      kind: "derived",
      from: [["label"], ({ label }: { readonly label: string }) => `box ${label}`],
    },
    proof: { is: text, kind: "hidden" },
    record: { is: made<{ readonly seen: boolean }>(), kind: "record", plain: ["seen"] },
  },
  insteadOfImport: "make another one",
});

let created = 0;
const Box = host(connect, definition, {
  check: (olds, news) => ({
    inputs: { ...news, name: news.name ?? olds?.name ?? `${news.label}-1`, place: "here" } as never,
    failures: [],
  }),
  async create(_session, inputs) {
    created += 1;
    const made = { size: 4, password: "of the box", proof: "p1", record: { seen: true } };
    return { id: `b${created}`, state: { startTime: 7, ...inputs, ...made } };
  },
  update: async (_session, _id, state, inputs) => ({ ...state, ...inputs }),
  async delete() {},
});
const boxes = provider({ ...own, version: "0.0.1", connect, resources: { Box }, functions: {} });

const settings = { default: { address: "http://127.0.0.1" } };
const run = (form: Form, first: Bag, next: Bag, of = settings) =>
  play(
    boxes,
    [first, next].map((args) => ({ command: "up", program: { box: { type: "Box", args } } })),
    { form, settings: of },
  );
const args = {
  label: secret("a"),
  tags: ["x", "y"],
  every: "1h",
  limits: { perDay: 3, password: "pw" },
};

describe.each<Form>(["dynamic", "native"])("in the %s form", (form) => {
  const callsOf = async (first: Bag, next: Bag) =>
    (await run(form, first, next))[1]?.calls.map(({ hook }) => hook).filter((hook) => hook !== "check");

  test("an unchanged program changes nothing", async () => {
    expect(await callsOf(args, args)).toEqual(["diff"]);
    expect(await callsOf(args, { ...args, tags: ["y", "x"], every: "60m" })).toEqual(["diff"]);
  });

  test("a value that the service chose is a change only if the program declares another one", async () => {
    expect(await callsOf(args, { ...args, startTime: 7 })).toEqual(["diff"]);
    expect(await callsOf(args, { ...args, startTime: 8 })).toContain("delete");
    expect(await callsOf({ ...args, startTime: 8 }, args)).toEqual(["diff"]);
  });

  test("a required setting that is missing fails the preview", async () => {
    const [first] = await run(form, args, args, { default: { address: "" } });
    expect(first?.failures.join()).toContain('boxes:address is missing: run "pulumi config set boxes:address"');
  });
});
