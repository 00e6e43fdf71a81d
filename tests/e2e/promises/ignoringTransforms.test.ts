import { expect, test } from "@jest/globals";
import { declare, deploy } from "./world";

// In the engine's own host: inline programs, such as warm hosts run, lose the marks of secrets in transforms.

const canary = "cnry83b0f6d21a";
const length = "P1Y2M3DT14H35M56S";

/** The first program declares secrets, and each later one other values in plain text. */
const program = (values: "secret" | "plain", ignored: "ignored" | "not ignored") => `
const isSecret = ${values === "secret"};
const text = (way: string) => isSecret ? pulumi.secret(process.env.CANARY + "-" + way) : "shown";
const expiresIn = isSecret ? pulumi.secret(process.env.LENGTH ?? "") : "30d";
const ignore = (...keys: string[]): pulumi.ResourceTransform => ({ props, opts }) =>
  ({ props, opts: ${ignored === "ignored" ? "{ ...opts, ignoreChanges: keys }" : "opts"} });
const describe = (way: string): pulumi.ResourceTransform => ({ props, opts }) =>
  ({ props: { ...props, description: text(way) }, opts });
inBothForms((form, { Annotation, ApiToken }) => {
  const name = (way: string) => form + "-" + way;
  const make = (way: string, args: object, ...transforms: pulumi.ResourceTransform[]) =>
    new ApiToken(name(way), { name: name(way), ...args }, { transforms });
  make("declared", { description: text("declared") }, ignore("description"));
  make("transformed", {}, describe("transformed"), ignore("description"));
  make("reversed", {}, ignore("description"), describe("reversed"));
  make("length", { expiresIn }, ignore("expiresIn"));
  make("all", { description: text("all"), expiresIn }, ignore("*"));
  const title = text("title");
  new Annotation(name("title"), { datasets: ["web"], type: "deploy", title }, { transforms: [ignore("title")] });
});
`;

test("what a transform ignores stays as it was and secret, in both forms, until it is not ignored any more", async () => {
  const env = { CANARY: canary, LENGTH: length };
  await using it = await deploy("both", program("secret", "ignored"), { env });
  const { workspace, service } = it;
  const live = () => [...service.tokens.list(), ...service.annotations.list()];
  await workspace.up({ args: ["--diff"] });
  const made = live();
  await declare(it, "both", program("plain", "ignored"));
  await workspace.preview({ args: ["--diff", "--expect-no-changes"] });
  await workspace.up({ args: ["--diff", "--expect-no-changes"] });
  await workspace.refresh({ args: ["--diff", "--expect-no-changes"] });
  await workspace.up({ args: ["--diff", "--expect-no-changes"] });
  expect(live()).toEqual(made);
  const expiries = service.tokens.list().flatMap(({ expiresAt }) => (expiresAt ? [String(expiresAt)] : []));
  expect(expiries).toHaveLength(4);
  const secrets = ["declared", "transformed", "reversed", "all", "title"].map((way) => `${canary}-${way}`);
  for (const secret of [...secrets, length, ...expiries])
    expect([secret, await it.traces(secret)]).toEqual([secret, []]);

  await declare(it, "both", program("plain", "not ignored"));
  await workspace.up({ args: ["--diff"] });
  const shown = live().flatMap(({ description, title }) => [description, title].filter((text) => text !== undefined));
  expect(new Set(shown)).toEqual(new Set(["shown"]));
  for (const way of ["dynamic-declared", "native-declared"])
    expect((await it.resource("ApiToken", way)).outputs).toMatchObject({ description: "shown" });
});
