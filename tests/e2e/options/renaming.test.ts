import { expect, test } from "@jest/globals";
import { forms } from "../../support/forms";
import { useWarmHosts } from "../../support/warmHosts";
import { declare, deploy } from "../promises/world";

useWarmHosts();

test.each(forms)("%s form: a rename with an alias replaces no token, whatever replaceOnChanges names", async (form) => {
  const token = (name: string, aliases: object) =>
    `new ApiToken("${name}", { expiresIn: "90d" }, { replaceOnChanges: ["*"], aliases: ${JSON.stringify(aliases)} });`;
  await using it = await deploy(form, token("ci", []));
  await it.workspace.up();
  await declare(it, form, token("build", [{ name: "ci" }]));
  await it.workspace.up();
  expect(it.writes()).toEqual(["POST /v2/tokens 200"]);
  await it.workspace.up({ args: ["--expect-no-changes"] });
});

const ways = ["the option", "a transform"] as const;

test.each(forms.flatMap((form) => ways.map((way) => [form, way] as const)))(
  "%s form: a renamed resource that ignores every change by %s shares nothing with one of its old name",
  async (form, way) => {
    const rights = 'orgCapabilities: { apiTokens: ["read"] }, rotation: { overlap: "2d", triggers: { round: 1 } }';
    const token = (name: string, options: string) => `new ApiToken("${name}", { ${rights} }, { ${options} });`;
    const all = 'ignoreChanges: ["*"]';
    const transform = `({ props, opts }) => ({ props, opts: { ...opts, ${all} } })`;
    const ignoring = way === "the option" ? all : `transforms: [${transform}]`;
    const renamed = token("build", `aliases: [{ name: "ci" }], ${ignoring}`);
    await using it = await deploy(form, token("ci", ""));
    await it.workspace.up();
    await declare(it, form, renamed);
    await it.workspace.up();
    await declare(it, form, `const build = ${renamed}\n${token("ci", "dependsOn: build")}`);
    await it.workspace.up();
    expect(it.writes()).toEqual(["POST /v2/tokens 200", "POST /v2/tokens 200"]);
    expect((await it.resource("ApiToken", "ci")).outputs).not.toHaveProperty("record.predecessors");
  },
);
