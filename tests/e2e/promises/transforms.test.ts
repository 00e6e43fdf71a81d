import { expect, test } from "@jest/globals";
import { makeByHand } from "../../support/deployment";
import { forms } from "../../support/program";
import { declare, deploy } from "./world";

// In the engine's own host: inline programs, such as warm hosts run, lose the marks of secrets in transforms.

const canary = "cnry83b0f6d21a";
const length = "P1Y2M3DT14H35M56S";

/**
 * Each way in which something else than the argument itself gives a name, a lifetime or a secret to adopt, and each in which a
 * transform ignores a change. The first program has secrets, and each later one other values in plain text.
 */
const programFor = (adopted: string) => (values: "secret" | "plain", ignored: "ignored" | "not ignored") =>
  `
const isSecret = ${values === "secret"};
const c = (way: string) => process.env.CANARY + "-" + way;
const change = (way: string) => ({ props, opts }: any) => ({
  props: { ...props, name: pulumi.secret(c(way)), expiresIn: pulumi.secret(process.env.LENGTH) },
  opts,
});
const isToken = ({ type }: { type: string }) => type.endsWith("ApiToken");
const ofTokens = (way: string) => (args: any) => isToken(args) ? change(way)(args) : undefined;
const group = (name: string, options: object) => ({ parent: new pulumi.ComponentResource("test:index:Group", name, {}, options) });
new dynamic.ApiToken("own", {}, { transforms: [change("own")] });
new dynamic.ApiToken("transformation", {}, { transformations: [change("transformation")] });
new dynamic.ApiToken("inherited", {}, group("group", { transformations: [ofTokens("inherited")] }));
new dynamic.ApiToken("named", { name: pulumi.secret(c("named")) });
const adopt = { id: "${adopted}", token: c("secret") };
new dynamic.ApiToken("adopting", { name: "adopted" }, { transforms: [({ props, opts }) => ({ props: { ...props, adopt }, opts })] });

const text = (way: string) => isSecret ? pulumi.secret(c(way)) : "shown";
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

test("a secret that a transform adds shows nowhere, and one that it ignores stays as it was until it is not ignored any more", async () => {
  const env = { CANARY: canary, LENGTH: length };
  await using it = await deploy("both", "", { env, hosts: "engine" });
  const { workspace, service } = it;
  const program = programFor((await makeByHand(service, { name: "adopted" })).id);
  await declare(it, "both", program("secret", "ignored"));
  const live = () => [...service.tokens.list(), ...service.annotations.list()];
  await workspace.up({ args: ["--diff"] });
  const made = live();
  await declare(it, "both", program("plain", "ignored"));
  await workspace.refresh({ args: ["--diff"] });
  await workspace.up({ args: ["--diff", "--expect-no-changes"] });
  expect(live()).toEqual(made);
  const expiries = service.tokens.list().flatMap(({ expiresAt }) => (expiresAt ? [String(expiresAt)] : []));
  expect(expiries).toHaveLength(7);
  const added = ["own", "transformation", "inherited", "named", "secret"];
  const secrets = [...added, "declared", "transformed", "reversed", "all", "title"].map((way) => `${canary}-${way}`);
  for (const secret of [...secrets, length, ...expiries])
    expect([secret, await it.traces(secret)]).toEqual([secret, []]);

  await declare(it, "both", program("plain", "not ignored"));
  await workspace.up({ args: ["--diff"] });
  for (const form of forms) {
    expect((await it.resource("ApiToken", `${form}-declared`)).outputs).toMatchObject({ description: "shown" });
    expect((await it.resource("Annotation", `${form}-title`)).outputs).toMatchObject({ title: "shown" });
  }
});
