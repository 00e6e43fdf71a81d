import { expect, test } from "@jest/globals";
import { type Deployment, makeByHand } from "../../support/deployment";
import { forms } from "../../support/program";
import { declare, deploy } from "./world";

// In the engine's own host: inline programs, such as warm hosts run, lose the marks of secrets in transforms.

const canary = "cnry83b0f6d21a";
const length = "P1Y2M3DT14H35M56S";

/**
 * Each way in which something else than the argument itself gives a name, a lifetime or a secret to adopt, and each in which a
 * transform ignores a change. The first program has secrets, and each later one other values in plain text.
 */
const programFor =
  (adopted: Readonly<Record<string, string>>) => (values: "secret" | "plain", ignored: "ignored" | "not ignored") =>
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
const ids: Record<string, string> = ${JSON.stringify(adopted)};
const adopting = (form: string): pulumi.ResourceTransform => ({ props, opts }) =>
  ({ props: { ...props, adopt: { id: ids[form], token: c("adopted-" + form) } }, opts });

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
  make("adopting", { name: form }, adopting(form));
  make("declared", { description: text("declared") }, ignore("description"));
  make("transformed", {}, describe("transformed"), ignore("description"));
  make("reversed", {}, ignore("description"), describe("reversed"));
  make("length", { expiresIn }, ignore("expiresIn"));
  make("all", { description: text("all"), expiresIn }, ignore("*"));
  const title = text("title");
  new Annotation(name("title"), { datasets: ["web"], type: "deploy", title }, { transforms: [ignore("title")] });
});
`;

/** Tokens to adopt: the id of each, by its name. */
const makeTokens = async (
  { service }: Deployment,
  names: readonly string[],
): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(await Promise.all(names.map(async (name) => [name, (await makeByHand(service, { name })).id])));

test("a secret that a transform adds shows nowhere, and one that it ignores stays as it was until it is not ignored any more", async () => {
  const env = { CANARY: canary, LENGTH: length };
  await using it = await deploy("both", "", { env, hosts: "engine" });
  const { workspace, service } = it;
  const program = programFor(await makeTokens(it, forms));
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
  const given = forms.map((form) => `adopted-${form}`);
  const added = ["own", "transformation", "inherited", "named", ...given];
  const secrets = [...added, "declared", "transformed", "reversed", "all", "title"].map((way) => `${canary}-${way}`);
  for (const secret of [...secrets, length, ...expiries])
    expect([secret, await it.traces(secret)]).toEqual([secret, []]);

  await declare(it, "both", program("plain", "not ignored"));
  await workspace.up({ args: ["--diff"] });
  for (const form of forms) {
    expect((await it.resource("ApiToken", `${form}-declared`)).outputs).toMatchObject({ description: "shown" });
    // Changed in place: the outputs stay encrypted while the annotation lives.
    const { inputs, outputs } = await it.resource("Annotation", `${form}-title`);
    expect([inputs, outputs]).toMatchObject([{ title: "shown" }, { title: { ciphertext: expect.any(String) } }]);
  }
});

test("a token to adopt shows nowhere, whether a transform of the stack adds it in plain text or adopt is secret as a whole", async () => {
  await using it = await deploy("both", "", { env: { CANARY: canary } });
  const names = [...forms, "whole"];
  const ids = await makeTokens(it, names);
  // Nothing in the program sees what this transform adds.
  const program = `
const ids: Record<string, string> = ${JSON.stringify(ids)};
pulumi.runtime.registerResourceTransform(({ type, name, props, opts }) => {
  if (!type.endsWith("ApiToken") || props.adopt) return undefined;
  return { props: { ...props, adopt: { id: ids[name], token: process.env.CANARY + "-" + name } }, opts };
});
export const tokens = inBothForms((form, { ApiToken }) => new ApiToken(form, { name: form }).token);
const whole = pulumi.secret({ id: ids.whole, token: process.env.CANARY + "-whole" });
export const { adopt } = new dynamic.ApiToken("whole", { name: "whole", adopt: whole });
`;
  await declare(it, "both", program);
  await it.workspace.up({ args: ["--diff"] });
  await it.workspace.refresh({ args: ["--diff"] });
  await it.workspace.up({ args: ["--diff", "--expect-no-changes"] });
  for (const name of names) expect(await it.traces(`${canary}-${name}`)).toEqual([]);
  const tokens = forms.map((form) => `${canary}-${form}`);
  expect(await it.workspace.outputs({ showSecrets: true })).toEqual({ tokens, adopt: { id: ids.whole } });
});
