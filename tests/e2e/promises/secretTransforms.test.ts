import { expect, test } from "@jest/globals";
import { makeByHand } from "../../support/deployment";
import { declare, deploy } from "./world";

// In the engine's own host: inline programs, such as warm hosts run, lose the marks of secrets in transforms.

const base = "cnry5d1f7b0c9e";
const length = "P1Y2M3DT14H35M56S";
const ways = ["own", "transformation", "inherited"];

/** Each way in which something else than the argument itself gives the name, a lifetime or a secret to adopt. */
const programFor = (id: string) => `const c = (way: string) => process.env.CANARY + "-" + way;
const change = (way: string) => ({ props, opts }: any) => ({
  props: { ...props, name: pulumi.secret(c(way)), expiresIn: pulumi.secret(process.env.LENGTH) },
  opts,
});
const isToken = ({ type }: { type: string }) => type.endsWith("ApiToken");
const ofTokens = (way: string) => (args: any) => isToken(args) ? change(way)(args) : undefined;
const group = (name: string, options: object) => ({ parent: new pulumi.ComponentResource("test:index:Group", name, {}, options) });
new ApiToken("own", {}, { transforms: [change("own")] });
new ApiToken("transformation", {}, { transformations: [change("transformation")] });
new ApiToken("inherited", {}, group("group", { transformations: [ofTokens("inherited")] }));
new ApiToken("declared", { name: pulumi.secret(c("declared")) });
const adopt = { id: "${id}", token: c("secret") };
new ApiToken("adopting", { name: "adopted" }, { transforms: [({ props, opts }) => ({ props: { ...props, adopt }, opts })] });
`;

test("a secret that a transform or transformation adds shows in no preview, output, state or backup", async () => {
  await using it = await deploy("dynamic", "", { profile: "documented", env: { CANARY: base, LENGTH: length } });
  const { workspace, service } = it;
  const { id } = await makeByHand(service, { name: "adopted" });
  await declare(it, "dynamic", programFor(id));
  await workspace.preview({ args: ["--diff"] });
  await workspace.up({ args: ["--diff"] });
  await workspace.refresh({ args: ["--diff"] });
  await workspace.up({ args: ["--expect-no-changes"] });
  const expiries = service.tokens.list().flatMap(({ expiresAt }) => (expiresAt ? [String(expiresAt)] : []));
  expect(expiries).toHaveLength(ways.length);
  const canaries = [...ways, "declared", "secret"].map((way) => `${base}-${way}`);
  for (const secret of [...canaries, length, ...expiries])
    expect([secret, await it.traces(secret)]).toEqual([secret, []]);
});
