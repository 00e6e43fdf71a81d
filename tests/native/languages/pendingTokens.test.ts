import { expect, test } from "@jest/globals";
import type { Deployment } from "../../support/deployment";
import { ageTokens } from "../../support/stack";
import { createNativeDeployment, languagePrograms, rights, yamlProgram, yamlToken } from "./workspace";

// A program in YAML or Python ends well although a resource failed, and then the engine deletes what it owes from before. One in Node.js
// fails as a whole: tests/e2e/promises/interruptedRotation.test.ts.

type Program = Readonly<Record<string, string>>;

/** A token that rotates, and a consumer of it. */
const yaml = (round: number): Program =>
  yamlProgram(
    yamlToken("ci", { ...rights, rotation: { triggers: { round } } }),
    `  consumer:
    type: event-datasets:Annotation
    properties: { datasets: [web], type: release, title: "\${ci.id}" }`,
  );

const python = (round: number): Program => ({
  "Pulumi.yaml": "name: web\nruntime: python\n",
  "__main__.py": `import pulumi_event_datasets as event_datasets

ci = event_datasets.ApiToken("ci", org_capabilities={"apiTokens": ["read"]}, rotation={"triggers": {"round": ${round}}})
event_datasets.Annotation("consumer", datasets=["web"], type="release", title=ci.id)
`,
});

const declare = async ({ workspace }: Deployment, program: Program) => {
  for (const [name, text] of Object.entries(program)) await workspace.writeFile(name, text);
};

/** Makes the next update of the consumer fail. */
const failConsumer = ({ service }: Deployment) =>
  service.inject({ method: "PUT", path: "/v2/annotations/*", action: { kind: "status", status: 400 } });

const idOf = async (it: Deployment) => String((await it.resource("ApiToken", "ci")).id);
const liveIds = ({ service }: Deployment) => service.tokens.list().map(({ id }) => id);

const announces = (old: string) =>
  expect.stringMatching(
    new RegExp(
      `API token ${old}, which API token "ci-\\w{7}" \\(id \\w+\\) replaced in an update that did not finish, is still valid\\. If its deletion is pending, this update revokes it: a consumer that failed then`,
    ),
  );

test.each([
  ["YAML", yaml],
  ["Python", python],
])(
  "in a program in %s, the second update in which a consumer fails with --continue-on-error announces that the old token ends",
  async (language, program) => {
    const folders = language === "Python" ? [(await languagePrograms()).python] : [];
    await using it = await createNativeDeployment({ program: program(1) }, folders);
    const { workspace } = it;
    await workspace.up();
    const first = await idOf(it);
    await declare(it, program(2));
    const options = { args: ["--continue-on-error"], expectFailure: true } as const;
    failConsumer(it);
    const interrupted = await workspace.up(options);
    expect(interrupted.stdout).not.toContain("did not finish");
    const second = await idOf(it);
    expect(liveIds(it)).toEqual(expect.arrayContaining([first, second]));

    expect((await workspace.preview()).stdout).toEqual(announces(first));
    failConsumer(it);
    expect((await workspace.up(options)).stdout).toEqual(announces(first));
    expect(liveIds(it)).not.toContain(first);
    expect(liveIds(it)).toContain(second);
  },
);

test("in a program in YAML, --target and --exclude after an interrupted rotation announce that the old token ends", async () => {
  await using it = await createNativeDeployment({ program: yaml(1) });
  const { workspace } = it;
  await workspace.up();
  const interrupt = async (round: number) => {
    await declare(it, yaml(round));
    failConsumer(it);
    await workspace.up({ args: ["--continue-on-error"], expectFailure: true });
  };
  const [first, args] = [await idOf(it), ["--target", (await it.resource("ApiToken", "ci")).urn]];
  await interrupt(2);
  expect((await workspace.preview({ args })).stdout).toEqual(announces(first));
  expect((await workspace.up({ args })).stdout).toEqual(announces(first));
  expect(liveIds(it)).not.toContain(first);

  const second = await idOf(it);
  await interrupt(3);
  const excluding = { args: ["--exclude", (await it.resource("Annotation", "consumer")).urn] };
  expect((await workspace.preview(excluding)).stdout).toEqual(announces(second));
  expect((await workspace.up(excluding)).stdout).toEqual(announces(second));
  // The engine spares what an excluded resource depends on.
  expect(liveIds(it)).toContain(second);
  expect((await workspace.up()).stdout).toEqual(announces(second));
  expect(liveIds(it)).not.toContain(second);
});

test("a list that is late takes no kept token from the record, and does not say of a live token that it no longer exists", async () => {
  const program = (round: number) =>
    yamlProgram(yamlToken("ci", { ...rights, expiresIn: "90d", retire: "expire", rotation: { triggers: { round } } }));
  await using it = await createNativeDeployment({ program: program(1) });
  const { workspace, service } = it;
  const beforeAny = service.tokens.list();
  await workspace.up();
  const first = await idOf(it);
  await declare(it, program(2));
  await workspace.up();
  const second = await idOf(it);
  await ageTokens(workspace);

  const late = { kind: "status", status: 200, body: beforeAny } as const;
  service.inject({ method: "GET", path: "/v2/tokens", action: late });
  const { stdout } = await workspace.up({ args: ["--expect-no-changes"] });
  expect(stdout).not.toContain("no longer exists");
  service.inject({ method: "GET", path: "/v2/tokens", action: late });
  await declare(it, program(3));
  await workspace.up();
  const { stdout: destroyed } = await workspace.destroy();
  expect(destroyed).toMatch(new RegExp(`earlier tokens that it replaced may still be valid: ${second} .*, ${first} `));
});
