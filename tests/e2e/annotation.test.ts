import { describe, expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { forms, inForm, moduleOf } from "../support/forms";

describe.each(forms)("in the %s form,", (form) => {
  const program = (args: string) => ({
    "index.ts": `import { Annotation } from "${moduleOf(form)}";
const deployed = new Annotation("deployed", { datasets: ["web"], type: "deploy", ${args} });
export const { id, time } = deployed;
`,
  });

  const extended = {
    serviceOptions: { profile: "extended" },
    env: { EVENT_DATASETS_PROFILE: "extended" },
  } as const;

  test("the extended profile changes an annotation in place, sees drift, and deletes it on destroy", async () => {
    await using deployment = await createDeployment(
      inForm(form, {
        program: program('title: "1.4", url: "https://x.example"'),
        ...extended,
      }),
    );
    const { workspace, service } = deployment;
    await workspace.up();
    const { id, time } = await workspace.outputs();
    await workspace.refresh({ args: ["--expect-no-changes"] });

    await workspace.writeFile("index.ts", program('title: "1.5"')["index.ts"]);
    expect((await workspace.preview()).stdout).toMatch(/Annotation deployed update/);
    await workspace.up();
    expect(service.annotations.list()).toEqual([
      expect.objectContaining({ id, title: "1.5", url: "", time: String(time).replace(/\.?0*Z$/, "Z") }),
    ]);
    await workspace.up({ args: ["--expect-no-changes"] });

    await service.annotations.change(String(id), { title: "Mine" });
    expect((await workspace.refresh({ args: ["--diff"] })).stdout).toMatch(/title *: "1\.5" => "Mine"/);
    await workspace.up();
    expect(service.annotations.list()).toEqual([expect.objectContaining({ id, title: "1.5" })]);
    await workspace.destroy();
    expect(service.annotations.list()).toEqual([]);
  });

  test("changed triggers make another annotation and keep the old one as history", async () => {
    await using deployment = await createDeployment(
      inForm(form, { program: program('triggers: { commit: "a" }'), ...extended }),
    );
    const { workspace, service } = deployment;
    await workspace.up();
    await workspace.writeFile("index.ts", program('triggers: { commit: "b" }')["index.ts"]);
    expect((await workspace.up()).stdout).toMatch(/\[diff: ~triggers\]/);
    await workspace.destroy();
    expect(service.annotations.list()).toHaveLength(2);
    expect(deployment.writes()).toEqual(["POST /v2/annotations 201", "POST /v2/annotations 201"]);
  });

  test("the documented profile makes another annotation for a change, and cannot look one up", async () => {
    await using deployment = await createDeployment(inForm(form, { program: program('title: "1.4"') }));
    const { workspace, service } = deployment;
    await workspace.up();
    await workspace.writeFile("index.ts", program('title: "1.5"')["index.ts"]);
    await workspace.up();
    expect(service.annotations.list().map(({ title }) => title)).toEqual(["1.4", "1.5"]);

    const lookup = `import { Annotation } from "${moduleOf(form)}";\nAnnotation.get("found", "ann_1");\n`;
    await workspace.writeFile("index.ts", lookup);
    const { stdout } = await workspace.up({ expectFailure: true });
    expect(stdout).toContain("annotation ann_1 cannot be looked up: the documented interface has no way to read");
  });

  test("Annotation.get looks an annotation up in the extended profile without managing it", async () => {
    await using deployment = await createDeployment(inForm(form, { program: program('title: "1.4"'), ...extended }));
    const { workspace, service } = deployment;
    await workspace.up();
    const [made] = service.annotations.list();
    await workspace.writeFile(
      "index.ts",
      `import { Annotation } from "${moduleOf(form)}";
new Annotation("deployed", { datasets: ["web"], type: "deploy", title: "1.4" });
export const { title, datasets, type } = Annotation.get("found", "${made?.id}");
`,
    );
    await workspace.up();
    expect(await workspace.outputs()).toEqual({ title: "1.4", datasets: ["web"], type: "deploy" });
    expect(deployment.writes()).toEqual(["POST /v2/annotations 201"]);
  });

  test("what the public service would refuse fails the preview", async () => {
    await using deployment = await createDeployment(
      inForm(form, {
        program: program('title: "x".repeat(300), url: "nowhere"'),
        ...extended,
      }),
    );
    const { stdout } = await deployment.workspace.preview({ expectFailure: true });
    expect(stdout).toContain("url must be an address");
    expect(deployment.service.calls).toEqual([]);
  });
});
