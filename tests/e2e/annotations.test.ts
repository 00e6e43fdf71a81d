import { expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { bothForms, forms, inForm } from "../support/program";

/** The dataset of an annotation is its form. */
const program = (title: string, commit: string, more = "const found = undefined;") => `${bothForms}
export const results = inBothForms((form, { Annotation }) => {
  const datasets = [form];
  const { id } = new Annotation(form + "-deployed", { datasets, type: "deploy", title: "${title}" });
  new Annotation(form + "-released", { datasets, type: "release", triggers: { commit: "${commit}" } });
  ${more}
  return { id, found };
});
`;

interface Result {
  readonly id: string;
  readonly found?: object;
}

test("an annotation changes in place, and its drift shows and is put back; changed triggers make another one; get manages nothing", async () => {
  const files = { "index.ts": program("1.4", "a") };
  await using deployment = await createDeployment(inForm("both", { profile: "extended", program: files }));
  const { workspace, service } = deployment;
  const readResults = async () => (await workspace.outputs()).results as readonly Result[];
  const shown = (type: string) => service.annotations.list().filter((one) => one.type === type);
  await workspace.up();
  const ids = (await readResults()).map(({ id }) => id);

  const known = JSON.stringify(Object.fromEntries(forms.map((form, at) => [form, ids[at]])));
  const lookup = `const found = Annotation.get(form + "-found", ${known}[form]).datasets;`;
  await workspace.writeFile("index.ts", program("1.5", "b", lookup));
  const { stdout } = await workspace.up();
  for (const form of forms) {
    expect(stdout).toMatch(new RegExp(`Annotation ${form}-deployed updated`));
    expect(stdout).toMatch(new RegExp(`Annotation ${form}-released .*\\[diff: ~triggers\\]`));
  }
  expect((await readResults()).map(({ found }) => found)).toEqual(forms.map((form) => [form]));
  expect(shown("release")).toHaveLength(4);

  for (const id of ids) await service.annotations.change(id, { title: "Mine" });
  const refreshed = await workspace.refresh({ args: ["--diff"] });
  expect(refreshed.stdout.match(/title *: "1\.5" => "Mine"/g)).toHaveLength(2);
  await workspace.up();
  expect(shown("deploy").map(({ title }) => title)).toEqual(["1.5", "1.5"]);
  expect(new Set(shown("deploy").map(({ id }) => id))).toEqual(new Set(ids));
  await workspace.up({ args: ["--refresh", "--expect-no-changes"] });

  await workspace.destroy();
  expect([shown("deploy"), shown("release").length]).toEqual([[], 4]);
});
