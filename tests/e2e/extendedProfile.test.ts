import { expect, test } from "@jest/globals";
import { createDeployment } from "../support/deployment";
import { bothForms, type Form, forms, inForm } from "../support/program";
import { openForTests } from "../support/suite";

// One stack with all resources in both forms: each test goes on where the one before it ended, since the engine takes seconds for
// each command. The dataset of an annotation is its form.

interface Declared {
  /** Of the annotation that is changed in place. */
  readonly deployed: string;
  readonly commit: string;
  readonly expiresAt: string;
  readonly more?: string;
}

const program = ({ deployed, commit, expiresAt, more = "" }: Declared) => `${bothForms}
export const results = inBothForms((form, { Annotation, ApiToken }) => {
  new ApiToken(form + "-ci", { expiresAt: "${expiresAt}" });
  const datasets = [form];
  const deployed = new Annotation(form + "-deployed", { datasets, type: "deploy", ${deployed} });
  new Annotation(form + "-released", { datasets, type: "release", triggers: { commit: "${commit}" } });
  new Annotation(form + "-steady", { datasets, type: "deploy", title: "1.4" });
  const { id, time } = deployed;
  ${more}
  return { id, time${more ? ", found" : ""} };
});
`;
const former = {
  deployed: 'title: "1.4", url: "https://x.example"',
  commit: "a",
  expiresAt: "2030-01-01T00:00:00Z",
};
const changed = { deployed: 'title: "1.5"', commit: "b", expiresAt: "2031-01-01T00:00:00Z" };

interface Result {
  readonly id: string;
  readonly time: string;
  readonly found?: object;
}
const options = { profile: "extended", program: { "index.ts": program(former) } } as const;
const deployment = openForTests(() => createDeployment(inForm("both", options)));
let update = "";
let results: Readonly<Record<Form, Result>>;
const readResults = async () => {
  const [dynamic, native] = (await deployment.workspace.outputs()).results as [Result, Result];
  return { dynamic, native };
};
const annotations = (form: Form, type?: string) =>
  deployment.service.annotations
    .list()
    .filter((one) => String(one.datasets) === form && (type === undefined || one.type === type));
const liveOf = (form: Form) => annotations(form).find(({ id }) => id === results[form].id);

test("an annotation is changed in place to what the program declares", async () => {
  const { workspace } = deployment;
  await workspace.up();
  results = await readResults();
  await workspace.refresh({ args: ["--expect-no-changes"] });

  const steadyOf = (form: Form) => annotations(form).find((one) => one.title === "1.4" && one.id !== results[form].id);
  const steady = Object.fromEntries(forms.map((form) => [form, steadyOf(form)?.id]));
  const more = `const { title, datasets: of, type } = Annotation.get(form + "-found", ${JSON.stringify(steady)}[form]);
  const found = { title, datasets: of, type };`;
  await workspace.writeFile("index.ts", program({ ...changed, more }));
  update = (await workspace.up()).stdout;
  for (const form of forms) {
    expect(update).toMatch(new RegExp(`Annotation ${form}-deployed updated`));
    const time = results[form].time.replace(/\.?0*Z$/, "Z");
    expect(liveOf(form)).toMatchObject({ title: "1.5", url: "", time });
  }
  results = await readResults();
});

test("changed triggers create another annotation and keep the old one as history", () => {
  for (const form of forms) {
    expect(update).toMatch(new RegExp(`Annotation ${form}-released .*\\[diff: ~triggers\\]`));
    expect(annotations(form, "release")).toHaveLength(2);
  }
});

test("Annotation.get looks an annotation up without managing it", () => {
  for (const form of forms) expect(results[form].found).toEqual({ title: "1.4", datasets: [form], type: "deploy" });
  // Sorted: the engine changes some while it makes others.
  const made = deployment
    .writes()
    .filter((call) => call.includes("annotations"))
    .sort();
  const changes = Array(2).fill(expect.stringMatching(/^PUT|^PATCH/));
  expect(made).toEqual([...Array(8).fill("POST /v2/annotations 201"), ...changes]);
});

test("drift of an annotation is detected and corrected", async () => {
  const { workspace, service } = deployment;
  for (const form of forms) await service.annotations.change(results[form].id, { title: `Mine, ${form}` });
  const { stdout } = await workspace.refresh({ args: ["--diff"] });
  for (const form of forms) expect(stdout).toMatch(new RegExp(`title *: "1\\.5" => "Mine, ${form}"`));
  await workspace.up();
  for (const form of forms) expect(liveOf(form)).toMatchObject({ title: "1.5" });
});

test("the old token is revoked after the new one is created; a destroy revokes the last token and deletes annotations without triggers", async () => {
  const { workspace, service } = deployment;
  const writesOf = (path: string) => deployment.writes().filter((call) => call.includes(path));
  const renewed = service.tokens.list();
  expect(renewed.map(({ expiresAt }) => expiresAt)).toEqual([changed.expiresAt, changed.expiresAt]);
  const made = Array(4).fill("POST /v2/tokens 200");
  const revoked = Array(2).fill(expect.stringMatching(/^DELETE \/v2\/tokens\/\w+ 204$/));
  expect(writesOf("/v2/tokens")).toEqual([...made, ...revoked]);

  await workspace.destroy();
  const last = writesOf("/v2/tokens").slice(6);
  expect(last.sort()).toEqual(renewed.map(({ id }) => `DELETE /v2/tokens/${id} 204`).sort());
  expect(service.tokens.list()).toEqual([]);
  for (const form of forms) {
    expect(annotations(form, "deploy")).toEqual([]);
    expect(annotations(form, "release")).toHaveLength(2);
  }
  expect(writesOf("DELETE /v2/annotations")).toHaveLength(4);
});
