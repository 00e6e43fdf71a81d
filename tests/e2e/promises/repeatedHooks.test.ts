import { describe, expect, test } from "@jest/globals";
import { forms } from "../../support/forms";
import { useWarmHosts } from "../../support/warmHosts";
import { deploy, expiresAt } from "./world";

useWarmHosts();

/** Each noun that creates something, with a hook that has the engine repeat a failed create twice. */
const program = `
const repeat = (name: string) => {
  let left = 2;
  return new pulumi.ErrorHook(name, ({ failedOperation }) => {
    console.log("repeating " + name + " " + failedOperation);
    return left-- > 0;
  });
};
const onError = (name: string): pulumi.CustomResourceOptions => {
  return { hooks: { onError: [repeat(name)] } };
};
new ApiToken("token", { name: "token", expiresAt: "${expiresAt}" }, onError("token"));
new Annotation("annotation", { datasets: ["web"], type: "deploy", title: "t" }, onError("annotation"));
new DeploymentAnnotation("deployment", { datasets: ["web"], required: true, commit: "0a1b2c3" }, onError("deployment"));
`;

describe.each(forms)("in the %s form", (form) => {
  describe.each(["documented", "extended"] as const)("and the profile %s", (profile) => {
    test("an onError hook that repeats a create sends nothing twice whose response was lost", async () => {
      await using it = await deploy(form, program, { profile });
      const { workspace, service } = it;
      const action = { kind: "close-before-response" } as const;
      service.inject({ method: "POST", path: "/v2/tokens", times: 9, action });
      service.inject({ method: "POST", path: "/v2/annotations", times: 9, action });
      const { stdout } = await workspace.up({ args: ["--continue-on-error"], expectFailure: true });
      for (const name of ["token", "annotation", "deployment"]) expect(stdout).toContain(`repeating ${name} create`);
      const sent = it.writes().map((call) => call.split(" ").slice(0, 2).join(" "));
      expect(sent.sort()).toEqual(["POST /v2/annotations", "POST /v2/annotations", "POST /v2/tokens"]);
      expect([service.tokens.list().length, service.annotations.list().length]).toEqual([1, 2]);
    });
  });
});
