import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createDeployment, type Deployment, makeByHand } from "../../support/deployment";
import { type Form, forms, inForm, moduleOf } from "../../support/program";
import { useWarmHosts } from "../../support/warmHosts";

useWarmHosts();

// One program with every option of resources, in two rounds. Each test looks at the same stack, and the last one destroys it.

/** The options of each resource, by its name. `former` gets another name in the second round, and `retained` leaves. */
const optionsOf = (round: number, imported: string): Readonly<Record<string, string>> => ({
  kept: "{ protect: true, customTimeouts: { create: '1m' } }",
  ...(round === 1 ? { former: "{}", retained: "{ retainOnDelete: true }" } : {}),
  ...(round === 2 ? { renamed: "{ aliases: [{ name: 'former' }] }" } : {}),
  first: "{ deleteBeforeReplace: true }",
  follower: "{ replaceWith: [tokens.first] }",
  triggered: `{ replacementTrigger: ${round}, hideDiffs: ["description"] }`,
  inPlace: `{ replaceOnChanges: ["retire"], hooks: { afterCreate: [noted], afterUpdate: [noted] } }`,
  ignoring: `{ ignoreChanges: ["description"] }`,
  child: "{ parent: component, dependsOn: [tokens.ignoring] }",
  hidden: `{ additionalSecretOutputs: ["name"] }`,
  transformed: `{ transforms: [describe] }`,
  elsewhere: "{ provider }",
  dependent: "{ deletedWith: tokens.first }",
  ...(imported === "" ? {} : { taken: `{ import: "${imported}" }` }),
});

/** Resources whose description follows the round. */
const described = ["first", "ignoring"];

const program = (form: Form, round: number, imported: string) => `import * as pulumi from "@pulumi/pulumi";
import { ApiToken, Provider } from "${moduleOf(form)}";
const provider = new Provider("own", {
  baseUrl: process.env.EVENT_DATASETS_BASE_URL ?? "",
  accessToken: process.env.EVENT_DATASETS_ACCESS_TOKEN ?? "",
  profile: "extended",
});
const noted = new pulumi.ResourceHook("noted", ({ name }) => console.log("a hook saw " + name));
const describe: pulumi.ResourceTransform = ({ props, opts }) => ({ props: { ...props, description: "transformed" }, opts });
const component = new pulumi.ComponentResource("test:index:Team", "team");
const tokens: Record<string, any> = {};
const declare = (name: string, more: object, options: pulumi.CustomResourceOptions) => {
  tokens[name] = new ApiToken(name, { name, expiresAt: "2099-01-01T00:00:00Z", ...more }, options);
};
${Object.entries(optionsOf(round, imported))
  .map(([name, options]) => {
    const description = described.includes(name) ? `description: "round ${round}", ` : "";
    const retire = name === "inPlace" && round === 2 ? `retire: "revoke", ` : "";
    return `declare("${name}", { ${description}${retire}${name === "renamed" ? `name: "former"` : ""} }, ${options});`;
  })
  .join("\n")}
export const hidden = tokens.hidden.name;
`;

describe.each(forms)("in the %s form", (form) => {
  let deployment: Deployment;
  let imported = "";
  let printed = "";
  let before: Readonly<Record<string, string | undefined>> = {};
  let after: typeof before = {};

  const idsOf = async () => {
    const { resources = [] } = (await deployment.workspace.export()).deployment;
    const tokens = resources.filter(({ type }) => type.endsWith(":ApiToken"));
    return Object.fromEntries(tokens.map(({ urn, id }) => [urn.split("::").at(-1) ?? "", id]));
  };
  const liveNames = () => deployment.service.tokens.list().map(({ name }) => name);

  beforeAll(async () => {
    const env = { EVENT_DATASETS_PROFILE: "extended" };
    const options = { program: { "index.ts": "" }, env, serviceOptions: { profile: "extended" } as const };
    deployment = await createDeployment(inForm(form, options));
    const { workspace, service } = deployment;
    if (form === "native") {
      imported = (await makeByHand(service, { name: "taken", expiresAt: "2099-01-01T00:00:00Z" })).id;
    }
    await workspace.writeFile("index.ts", program(form, 1, imported));
    printed = (await workspace.up()).stdout;
    before = await idsOf();
    await workspace.writeFile("index.ts", program(form, 2, imported));
    printed += (await workspace.up()).stdout;
    after = await idsOf();
  });
  afterAll(async () => deployment?.[Symbol.asyncDispose]());

  test("deleteBeforeReplace, replaceWith, replacementTrigger and replaceOnChanges replace a token, and no other option does", () => {
    const replaced = Object.keys(after).filter((name) => before[name] !== undefined && before[name] !== after[name]);
    // The engine knows what changed in a dynamic resource only by the provider's word.
    const onChanges = form === "native" ? ["inPlace"] : [];
    expect(replaced.sort()).toEqual(["first", "follower", "triggered", ...onChanges].sort());
    expect(after.renamed).toBe(before.former);
  });

  test("every replaced token is revoked, and one with retainOnDelete is not", () => {
    expect(liveNames().sort()).toEqual(
      [...Object.keys(after).map((name) => (name === "renamed" ? "former" : name)), "retained"].sort(),
    );
  });

  test("deleteBeforeReplace revokes the old token before it creates the new one", () => {
    const [revoked, created] = ["deleting original", "creating replacement"].map((step) =>
      printed.indexOf(`ApiToken first ${step}`),
    );
    expect(revoked).toBeGreaterThan(0);
    expect(created).toBeGreaterThan(Number(revoked));
  });

  test("ignoreChanges keeps the description, transforms changes it, and additionalSecretOutputs hides the name", async () => {
    const descriptionOf = (name: string) =>
      deployment.service.tokens.list().find((token) => token.name === name)?.description;
    expect(["first", "ignoring", "transformed"].map(descriptionOf)).toEqual(["round 2", "round 1", "transformed"]);
    expect(await deployment.workspace.outputs()).toEqual({ hidden: "[secret]" });
  });

  test("hooks run, a parent and an explicit provider are recorded, and an import takes a token over", async () => {
    expect(printed.match(/a hook saw inPlace/g)).toHaveLength(2);
    expect((await deployment.resource("ApiToken", "child")).parent).toMatch(/::test:index:Team::team$/);
    expect((await deployment.resource("ApiToken", "elsewhere")).provider).toMatch(/::own::/);
    if (form === "native") expect(after.taken).toBe(imported);
    await deployment.workspace.refresh({ args: ["--expect-no-changes"] });
    await deployment.workspace.up({ args: ["--expect-no-changes"] });
  });

  test("a destroy leaves a protected token, and one that is deletedWith another", async () => {
    await deployment.workspace.destroy({ args: ["--exclude-protected"] });
    expect(Object.keys(await idsOf())).toEqual(["kept"]);
    expect(liveNames().sort()).toEqual(["dependent", "kept", "retained"]);
  });
});
