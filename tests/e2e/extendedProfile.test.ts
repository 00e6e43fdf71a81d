import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createDeployment, type Deployment } from "../support/deployment";
import { forms, inForm, moduleOf } from "../support/forms";
import { useWarmHosts } from "../support/warmHosts";

useWarmHosts();

// One stack a form: each test goes on where the one before it ended, since the engine takes seconds for each command.

describe.each(forms)("in the %s form and the extended profile,", (form) => {
  interface Declared {
    /** Of the annotation that is changed in place. */
    readonly deployed: string;
    readonly commit: string;
    readonly expiresAt: string;
    readonly more?: string;
  }

  const program = ({ deployed, commit, expiresAt, more = "" }: Declared) =>
    `import { Annotation, ApiToken } from "${moduleOf(form)}";
new ApiToken("ci", { expiresAt: "${expiresAt}" });
const deployed = new Annotation("deployed", { datasets: ["web"], type: "deploy", ${deployed} });
new Annotation("released", { datasets: ["web"], type: "release", triggers: { commit: "${commit}" } });
new Annotation("steady", { datasets: ["web"], type: "deploy", title: "1.4" });
export const { id, time } = deployed;
${more}
`;
  const former = {
    deployed: 'title: "1.4", url: "https://x.example"',
    commit: "a",
    expiresAt: "2030-01-01T00:00:00Z",
  };
  const changed = { deployed: 'title: "1.5"', commit: "b", expiresAt: "2031-01-01T00:00:00Z" };

  let deployment: Deployment;
  let update = "";
  let outputs: Record<string, unknown> = {};
  const annotations = (type: string) => deployment.service.annotations.list().filter((one) => one.type === type);
  const write = (declared: Declared) => deployment.workspace.writeFile("index.ts", program(declared));

  beforeAll(async () => {
    const refused = program({ ...former, deployed: 'title: "x".repeat(300), url: "nowhere"' });
    const env = { EVENT_DATASETS_PROFILE: "extended" };
    const serviceOptions = { profile: "extended" } as const;
    deployment = await createDeployment(inForm(form, { program: { "index.ts": refused }, env, serviceOptions }));
  });
  afterAll(async () => deployment?.[Symbol.asyncDispose]());

  test("inputs that the public service would refuse fail the preview", async () => {
    const { stdout } = await deployment.workspace.preview({ expectFailure: true });
    expect(stdout).toContain("url must be an address");
    expect(deployment.service.calls).toEqual([]);
  });

  test("an annotation is changed in place to what the program declares", async () => {
    const { workspace, service } = deployment;
    await write(former);
    await workspace.up();
    const { id, time } = await workspace.outputs();
    await workspace.refresh({ args: ["--expect-no-changes"] });

    const steady = service.annotations.list().find((one) => one.title === "1.4" && one.id !== id);
    const more = `export const { title, datasets, type } = Annotation.get("found", "${steady?.id}");`;
    await write({ ...changed, more });
    expect((await workspace.preview()).stdout).toMatch(/Annotation deployed update/);
    update = (await workspace.up()).stdout;
    outputs = await workspace.outputs();
    expect(service.annotations.list().find((one) => one.id === id)).toMatchObject({
      ...{ title: "1.5", url: "", time: String(time).replace(/\.?0*Z$/, "Z") },
    });
    await workspace.up({ args: ["--expect-no-changes"] });
  });

  test("changed triggers create another annotation and keep the old one as history", () => {
    expect(update).toMatch(/Annotation released .*\[diff: ~triggers\]/);
    expect(annotations("release")).toHaveLength(2);
  });

  test("Annotation.get looks an annotation up without managing it", () => {
    const { title, datasets, type } = outputs;
    expect({ title, datasets, type }).toEqual({ title: "1.4", datasets: ["web"], type: "deploy" });
    // Sorted: the engine changes one while it makes another.
    const made = deployment
      .writes()
      .filter((call) => call.includes("annotations"))
      .sort();
    expect(made).toEqual([...Array(4).fill("POST /v2/annotations 201"), expect.stringMatching(/^PUT|^PATCH/)]);
  });

  test("drift of an annotation is detected and corrected", async () => {
    const { workspace, service } = deployment;
    const id = String(outputs.id);
    await service.annotations.change(id, { title: "Mine" });
    expect((await workspace.refresh({ args: ["--diff"] })).stdout).toMatch(/title *: "1\.5" => "Mine"/);
    await workspace.up();
    expect(service.annotations.list().find((one) => one.id === id)).toMatchObject({ title: "1.5" });
  });

  test("the old token is revoked after the new one is created; a destroy revokes the last token and deletes annotations without triggers", async () => {
    const { workspace, service } = deployment;
    const writesOf = (path: string) => deployment.writes().filter((call) => call.includes(path));
    const [renewed, ...others] = service.tokens.list();
    expect(others).toEqual([]);
    expect(renewed?.expiresAt).toBe(changed.expiresAt);
    const made = Array(2).fill("POST /v2/tokens 200");
    const revoked = expect.stringMatching(/^DELETE \/v2\/tokens\/\w+ 204$/);
    expect(writesOf("/v2/tokens")).toEqual([...made, revoked]);

    await workspace.destroy();
    expect(writesOf("/v2/tokens")).toEqual([...made, revoked, `DELETE /v2/tokens/${renewed?.id} 204`]);
    expect(service.tokens.list()).toEqual([]);
    expect(annotations("deploy")).toEqual([]);
    expect(annotations("release")).toHaveLength(2);
    expect(writesOf("DELETE /v2/annotations")).toHaveLength(2);
  });
});
