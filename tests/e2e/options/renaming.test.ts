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
