import { expect, test } from "@jest/globals";
import type { Deployment } from "../../support/deployment";
import { forms } from "../../support/program";
import { deploy, expiresAt } from "./world";

/** Each noun that creates something, with a hook that has the engine repeat a failed create twice, and one that sees each update. */
const program = `
const repeat = (name: string) => {
  let left = 2;
  return new pulumi.ErrorHook(name, ({ failedOperation }) => {
    console.log("repeating " + name + " " + failedOperation);
    return left-- > 0;
  });
};
const watch = (name: string, step: string) => new pulumi.ResourceHook(name + "-" + step, () => console.log(step + " " + name));
const hooksOf = (name: string): pulumi.CustomResourceOptions => ({
  hooks: { onError: [repeat(name)], beforeUpdate: [watch(name, "updating")], afterCreate: [watch(name, "created")] },
});
inBothForms((form, { Annotation, ApiToken, DeploymentAnnotation }) => {
  const [token, annotation, deployment] = ["token", "annotation", "deployment"].map((noun) => form + "-" + noun);
  new ApiToken(token, { name: token, expiresAt: "${expiresAt}" }, hooksOf(token));
  new ApiToken(form + "-found", { expiresAt: "${expiresAt}" }, hooksOf(form + "-found"));
  new Annotation(annotation, { datasets: ["web"], type: "deploy", title: "t" }, hooksOf(annotation));
  new DeploymentAnnotation(deployment, { datasets: ["web"], required: true, commit: "0a1b2c3" }, hooksOf(deployment));
});
`;

const nouns = ["token", "found", "annotation", "deployment"];
const resourcesOf = async ({ workspace }: Deployment) =>
  (await workspace.export()).deployment.resources?.filter(({ urn }) => /::(dynamic|native)-\w+$/.test(urn)) ?? [];

test.each(["documented", "extended"] as const)(
  "in both forms, no create whose response was lost succeeds by a hook that repeats it, and the next update completes it (%s)",
  async (profile) => {
    await using it = await deploy("both", program, { profile });
    const { workspace, service } = it;
    const action = { kind: "close-before-response" } as const;
    service.inject({ method: "POST", path: "/v2/tokens", times: 4, action });
    service.inject({ method: "POST", path: "/v2/annotations", times: 4, action });
    const { stdout } = await workspace.up({ args: ["--continue-on-error"], expectFailure: true });
    for (const name of nouns)
      for (const form of forms) {
        expect(stdout).toContain(`repeating ${form}-${name} create`);
        expect(stdout).not.toMatch(new RegExp(`(created|updating) ${form}-${name}\\b`));
      }
    expect(stdout).toContain("let the hook onError return false for it");
    const sent = it.writes().map((call) => call.split(" ").slice(0, 2).join(" "));
    expect(sent.sort()).toEqual([...Array(4).fill("POST /v2/annotations"), ...Array(4).fill("POST /v2/tokens")]);
    expect([service.tokens.list().length, service.annotations.list().length]).toEqual([4, 4]);
    // Only a generated name proves which token a lost create made.
    const lost = await resourcesOf(it);
    expect(lost.map(({ urn }) => urn.split("::").at(-1)).sort()).toEqual(["dynamic-found", "native-found"]);
    for (const { outputs } of lost)
      expect(outputs).toMatchObject({ incomplete: expect.stringContaining("never arrived") });

    const refreshed = await workspace.refresh();
    for (const { id } of lost)
      expect(refreshed.stdout).toContain(`ApiToken ${id} is not complete, and the next "pulumi up" replaces it`);
    expect((await resourcesOf(it)).map(({ id }) => id)).toEqual(lost.map(({ id }) => id));
    const again = await workspace.up();
    for (const name of nouns) for (const form of forms) expect(again.stdout).toContain(`created ${form}-${name}`);
    for (const { id, outputs } of await resourcesOf(it)) {
      expect(lost.map((one) => one.id)).not.toContain(id);
      expect(outputs).not.toHaveProperty("incomplete");
    }
    const revoked = profile === "extended" ? 2 : 0;
    expect(service.tokens.list()).toHaveLength(8 - revoked);
    await workspace.up({ args: ["--expect-no-changes"] });
    await workspace.destroy();
  },
);
