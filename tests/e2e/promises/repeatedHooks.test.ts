import { expect, test } from "@jest/globals";
import { forms } from "../../support/program";
import { deploy, expiresAt } from "./world";

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
inBothForms((form, { Annotation, ApiToken, DeploymentAnnotation }) => {
  const [token, annotation, deployment] = ["token", "annotation", "deployment"].map((noun) => form + "-" + noun);
  new ApiToken(token, { name: token, expiresAt: "${expiresAt}" }, onError(token));
  new Annotation(annotation, { datasets: ["web"], type: "deploy", title: "t" }, onError(annotation));
  new DeploymentAnnotation(deployment, { datasets: ["web"], required: true, commit: "0a1b2c3" }, onError(deployment));
});
`;

test.each(["documented", "extended"] as const)(
  "in both forms, an onError hook that repeats a create sends nothing twice whose response was lost (%s)",
  async (profile) => {
    await using it = await deploy("both", program, { profile });
    const { workspace, service } = it;
    const action = { kind: "close-before-response" } as const;
    service.inject({ method: "POST", path: "/v2/tokens", times: 9, action });
    service.inject({ method: "POST", path: "/v2/annotations", times: 9, action });
    const { stdout } = await workspace.up({ args: ["--continue-on-error"], expectFailure: true });
    for (const name of ["token", "annotation", "deployment"])
      for (const form of forms) expect(stdout).toContain(`repeating ${form}-${name} create`);
    const sent = it.writes().map((call) => call.split(" ").slice(0, 2).join(" "));
    expect(sent.sort()).toEqual([...Array(4).fill("POST /v2/annotations"), ...Array(2).fill("POST /v2/tokens")]);
    expect([service.tokens.list().length, service.annotations.list().length]).toEqual([2, 4]);
  },
);
