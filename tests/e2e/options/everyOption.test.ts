import { beforeAll, expect, test } from "@jest/globals";
import { createDeployment, makeByHand } from "../../support/deployment";
import { bothForms, forms, inForm } from "../../support/program";
import { openForTests } from "../../support/suite";

// One program with every option of resources, in two rounds and in both forms. Each test looks at the same stack, and the last one
// destroys it.

/** The options of each resource, by its name. `former` gets another name in the second round, and `retained` leaves. */
const optionsOf = (round: number, imported: string): Readonly<Record<string, string>> => ({
  kept: "{ protect: true, customTimeouts: { create: '1m' } }",
  ...(round === 1 ? { former: "{}", retained: "{ retainOnDelete: true }" } : {}),
  ...(round === 2 ? { renamed: "{ aliases: [{ name: form + '-former' }] }" } : {}),
  first: "{ deleteBeforeReplace: true }",
  follower: "{ replaceWith: [tokens.first] }",
  triggered: `{ replacementTrigger: ${round}, hideDiffs: ["description"] }`,
  inPlace: `{ replaceOnChanges: ["retire"], hooks: { afterCreate: [noted], afterUpdate: [noted] } }`,
  ignoring: `{ ignoreChanges: ["description"] }`,
  frozen: `{ ignoreChanges: ["*"] }`,
  child: "{ parent: component, dependsOn: [tokens.ignoring] }",
  hidden: `{ additionalSecretOutputs: ["name"] }`,
  transformed: `{ transforms: [describe] }`,
  elsewhere: "{ provider }",
  dependent: "{ deletedWith: tokens.first }",
  taken: `form === "native" ? { import: "${imported}" } : {}`,
});

/** Resources whose description follows the round. */
const described = ["first", "ignoring", "frozen"];

const program = (round: number, imported: string) => `import * as pulumi from "@pulumi/pulumi";
${bothForms}
const noted = new pulumi.ResourceHook("noted", ({ name }) => console.log("a hook saw " + name));
const describe: pulumi.ResourceTransform = ({ props, opts }) => ({ props: { ...props, description: "transformed" }, opts });
export const hidden = inBothForms((form, { ApiToken, Provider }) => {
  const provider = new Provider(form + "-own", {
    baseUrl: process.env.EVENT_DATASETS_BASE_URL ?? "",
    accessToken: process.env.EVENT_DATASETS_ACCESS_TOKEN ?? "",
    profile: "extended",
  });
  const component = new pulumi.ComponentResource("test:index:Team", form + "-team");
  const tokens: Record<string, any> = {};
  const declare = (name: string, more: object, options: pulumi.CustomResourceOptions) => {
    const args = { name: form + "-" + name, expiresAt: "2099-01-01T00:00:00Z", ...more };
    tokens[name] = new ApiToken(form + "-" + name, args, options);
  };
${Object.entries(optionsOf(round, imported))
  .map(([name, options]) => {
    const description = described.includes(name) ? `description: "round ${round}", ` : "";
    const retire = name === "inPlace" && round === 2 ? `retire: "revoke", ` : "";
    return `  declare("${name}", { ${description}${retire}${name === "renamed" ? `name: form + "-former"` : ""} }, ${options});`;
  })
  .join("\n")}
  return tokens.hidden.name;
});
`;

const options = { profile: "extended", program: { "index.ts": "" } } as const;
const deployment = openForTests(() => createDeployment(inForm("both", options)));
let imported: string;
let printed = "";
let before: Readonly<Record<string, string | undefined>> = {};
let after: typeof before = {};

const inForms = (...names: string[]) => forms.flatMap((form) => names.map((name) => `${form}-${name}`)).sort();
const idsOf = async () => {
  const { resources = [] } = (await deployment.workspace.export()).deployment;
  const tokens = resources.filter(({ type }) => type.endsWith(":ApiToken"));
  return Object.fromEntries(tokens.map(({ urn, id }) => [urn.split("::").at(-1) ?? "", id]));
};
const liveNames = () => deployment.service.tokens.list().map(({ name }) => String(name));

beforeAll(async () => {
  const { workspace, service } = deployment;
  imported = (await makeByHand(service, { name: "native-taken", expiresAt: "2099-01-01T00:00:00Z" })).id;
  await workspace.writeFile("index.ts", program(1, imported));
  printed = (await workspace.up()).stdout;
  before = await idsOf();
  await workspace.writeFile("index.ts", program(2, imported));
  printed += (await workspace.up()).stdout;
  after = await idsOf();
});

const isReplaced = (name: string) => before[name] !== undefined && before[name] !== after[name];
/** Engine 3.276, and not 3.259, replaces what is deletedWith a replaced resource. No engine asks the provider to delete it. */
const isFollowing = (name: string) => name.endsWith("-dependent") && isReplaced(name);

test("deleteBeforeReplace, replaceWith, replacementTrigger and replaceOnChanges replace a token, and no option but deletedWith does", () => {
  const replaced = Object.keys(after).filter((name) => isReplaced(name) && !isFollowing(name));
  // The engine knows what changed in a dynamic resource only by the provider's word.
  expect(replaced.sort()).toEqual([...inForms("first", "follower", "triggered"), "native-inPlace"].sort());
  expect([[], inForms("dependent")]).toContainEqual(Object.keys(after).filter(isFollowing).sort());
  for (const form of forms) expect(after[`${form}-renamed`]).toBe(before[`${form}-former`]);
});

test("every replaced token is revoked, and one with retainOnDelete or deletedWith is not", () => {
  const declared = Object.keys(after).map((name) => name.replace("renamed", "former"));
  const left = [...inForms("retained"), ...Object.keys(after).filter(isFollowing)];
  expect(liveNames().sort()).toEqual([...declared, ...left].sort());
});

test("deleteBeforeReplace revokes the old token before it creates the new one", () => {
  for (const name of inForms("first")) {
    const revoked = printed.indexOf(`ApiToken ${name} deleting original`);
    expect(revoked).toBeGreaterThan(0);
    expect(printed.indexOf(`ApiToken ${name} creating replacement`)).toBeGreaterThan(revoked);
  }
});

test("ignoreChanges keeps the description, transforms changes it, and additionalSecretOutputs hides the name", async () => {
  const descriptionOf = (name: string) =>
    deployment.service.tokens.list().find((token) => token.name === name)?.description;
  const texts = forms.map((form) =>
    ["first", "ignoring", "frozen", "transformed"].map((name) => descriptionOf(`${form}-${name}`)),
  );
  expect(texts).toEqual(Array(2).fill(["round 2", "round 1", "round 1", "transformed"]));
  expect(await deployment.workspace.outputs()).toEqual({ hidden: ["[secret]", "[secret]"] });
});

test("hooks run, a parent and an explicit provider are recorded, and an import takes a token over", async () => {
  for (const form of forms) {
    expect(printed.match(new RegExp(`a hook saw ${form}-inPlace`, "g"))).toHaveLength(2);
    expect((await deployment.resource("ApiToken", `${form}-child`)).parent).toMatch(/::test:index:Team::\w+-team$/);
    expect((await deployment.resource("ApiToken", `${form}-elsewhere`)).provider).toMatch(/::\w+-own::/);
  }
  expect(after["native-taken"]).toBe(imported);
  await deployment.workspace.up({ args: ["--refresh", "--expect-no-changes"] });
});

test("a destroy leaves a protected token, and one that is deletedWith another", async () => {
  await deployment.workspace.destroy({ args: ["--exclude-protected"] });
  expect(Object.keys(await idsOf()).sort()).toEqual(inForms("kept"));
  const left = Object.keys(after).filter(isFollowing);
  expect(liveNames().sort()).toEqual([...inForms("dependent", "kept", "retained"), ...left].sort());
});
