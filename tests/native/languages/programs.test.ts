import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import schema from "../../../schema.json";
import { type Language, partOf, readProgram } from "../../../scripts/generate/languageExamples.mjs";
import { type Deployment, makeByHand, startTemporaryEmulator } from "../../support/deployment";
import { ageKey } from "../../support/keys";
import { CHECKOUT } from "../../support/program";
import * as expected from "./programs/expected";
import { createNativeDeployment, goProgram, languagePrograms } from "./workspace";

const languages: readonly Language[] = ["typescript", "python", "go", "yaml"];
const folder = join(CHECKOUT, "tests/native/languages/programs");
const names = [schema.resources, schema.functions].flatMap((nouns) =>
  Object.keys(nouns).map((token) => token.slice(token.lastIndexOf(":") + 1)),
);

let programs: Awaited<ReturnType<typeof languagePrograms>>;
beforeAll(async () => {
  programs = await languagePrograms();
});

test.each(languages)(
  "the program in %s uses every resource and calls every function of the schema",
  async (language) => {
    const program = await readProgram(CHECKOUT, language);
    for (const name of [...names, "Provider"]) {
      const spelled = language === "python" ? name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_?${letter}`) : name;
      const pattern = new RegExp(name === "Provider" && language === "yaml" ? "pulumi:providers:" : spelled, "i");
      expect(partOf(program, name)).toMatch(pattern);
    }
  },
);

/** The programs with their installation, by language; `dynamic` is the one in TypeScript with the npm package. */
const deployments: Readonly<Record<string, () => Promise<Deployment>>> = {
  dynamic: async () => {
    const program = await readProgram(CHECKOUT, "typescript");
    return createNativeDeployment({
      program: {
        "Pulumi.yaml": "name: programs\nruntime: nodejs\n",
        "index.ts": program.replace("pulumi-event-datasets-native", "pulumi-event-datasets"),
      },
    });
  },
  typescript: async () => {
    const program = { "Pulumi.yaml": "name: programs\nruntime: nodejs\n" };
    const deployment = await createNativeDeployment({ program });
    const own = deployment.workspace.program;
    await cp(programs.nodejs, join(own, "node_modules/pulumi-event-datasets-native"), { recursive: true });
    await cp(join(folder, "index.ts"), join(own, "index.ts"));
    return deployment;
  },
  python: async () => {
    const main = await readFile(join(folder, "__main__.py"), "utf8");
    const program = { "Pulumi.yaml": "name: programs\nruntime: python\n", "__main__.py": main };
    return createNativeDeployment({ program }, [programs.python]);
  },
  go: () => createNativeDeployment({ program: goProgram(programs.goProgram) }, [programs.goProgram]),
  yaml: async () =>
    createNativeDeployment({ program: { "Pulumi.yaml": await readFile(join(folder, "Pulumi.yaml"), "utf8") } }),
};

test.each(Object.keys(deployments))("the program in %s deploys, and gives the outputs that it should", async (name) => {
  await using other = await startTemporaryEmulator({ profile: "extended" });
  await using deployment = (await deployments[name]?.()) as Deployment;
  const { workspace, service } = deployment;
  const events = [200, 500].map((status) => ({ _time: new Date().toISOString(), status, service: "shop" }));
  await service.ingest("web", events);
  const theirs = await makeByHand(service, { name: "by hand" });
  const { recipient } = await ageKey();
  const [otherToken, theirToken] = [other.rootToken, theirs.token];
  const plaintext = { otherUrl: other.url, recipient, theirId: theirs.id };
  const config = Object.entries({ plaintext, secret: { otherToken, theirToken } });
  const options = config.flatMap(([kind, pairs]) =>
    Object.entries(pairs).flatMap(([key, value]) => [`--${kind}`, `${key}=${value}`]),
  );
  await workspace.run(["config", "set-all", ...options]);
  await workspace.up();

  const wanted = expected.outputs;
  const shown = await workspace.outputs({ showSecrets: true });
  expect(asTexts(shown, wanted)).toEqual(matchers(wanted));
  const hidden = await workspace.outputs();
  expect(
    Object.keys(hidden)
      .filter((key) => hidden[key] === "[secret]")
      .sort(),
  ).toEqual([...expected.secretOutputs].sort());
  expect(await deployment.traces(String(shown["ApiToken.token"]), theirs.token, other.rootToken)).toEqual([]);

  expect(service.annotations.list().map(({ type, title }) => ({ type, title }))).toEqual(
    expect.arrayContaining([
      { type: "launch", title: "Launch" },
      { type: "maintenance" },
      { type: "deploy", title: "Deploy programs to dev (0a1b2c3)" },
      { type: "release", title: "Release 1" },
    ]),
  );
  expect(other.tokens.list().map(({ name }) => name)).toEqual([shown["Provider.elsewhere"]]);
  // The state is the same in every language of the plugin, so one of them shows what comes after a first update; the dynamic form has
  // another state.
  if (name !== "yaml" && name !== "dynamic") return;
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.destroy();
  expect(other.tokens.list()).toEqual([]);
  expect(service.tokens.list().map(({ id }) => id)).toEqual([theirs.id]);
});

/** Objects as texts where a pattern is expected. */
const asTexts = (outputs: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(outputs).map(([key, value]) => [
      key,
      wanted[key] instanceof RegExp && typeof value === "object" ? JSON.stringify(value) : value,
    ]),
  );

const matchers = (wanted: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(wanted).map(([key, value]) => [key, value instanceof RegExp ? expect.stringMatching(value) : value]),
  );
