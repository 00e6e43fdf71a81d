import { expect, test } from "@jest/globals";
import schema from "../../../schema.json";
import { makeByHand } from "../../support/deployment";
import { ageKey } from "../../support/keys";
import { forms } from "../../support/program";
import { oneValueAnswer } from "../../support/queryAnswers";
import { type Behaviour, json, startService } from "../../support/service";
import { useWarmHosts } from "../../support/warmHosts";
import { deploy } from "./world";

useWarmHosts();

/** The text of every canary begins with it. It is in the programs' environment only. */
const base = "cnry5d1f7a";
const texts = [
  "name",
  "text",
  "dataset",
  "trigger",
  ...forms.flatMap((form) => [`${form}-adopted`, `${form}-adopted-part`]),
  "secret",
  "title",
  "query",
  "value",
  "commit",
];
const canaryOf = (name: string) => `${base}-${name}-0c9e5b2a`;
const [time, length, after] = ["2031-03-07T09:41:53Z", "P1Y2M3DT14H35M56S", "P1Y4M5DT16H37M58S"];

/** In programs: `c` is a canary, `s` makes a secret. */
const preamble = `
const c = (name: string) => process.env.CANARY + "-" + name + "-0c9e5b2a";
const [time = "", length = "", after = ""] = (process.env.TIMES ?? "").split(" ");
const s = pulumi.secret;
const more = {
  ApiToken: {},
  Annotation: { datasets: ["web"], type: "deploy", time: "2030-01-01T00:00:00Z" },
  DeploymentAnnotation: { datasets: ["web"], commit: "0a1b2c3" },
  QueryGate: { apl: "['web'] | count", startTime: "now-5m", endTime: "now", triggers: { a: 1 }, every: "1s", expect: s({ equals: c("value") }) },
};
`;

/** Each argument as a secret: as a whole, and by its members. */
const rows: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ApiToken: {
    name: [`s(c("name"))`],
    description: [`s(c("text"))`],
    expiresAt: ["s(time)"],
    expiresIn: ["s(length)"],
    rotation: [`s({ triggers: { by: c("trigger") } })`, `{ overlap: s("14d"), triggers: { by: s(c("trigger")) } }`],
    retire: [`s("revoke" as const)`],
    adopt: [
      `s({ name: c(form + "-adopted"), token: c("secret") })`,
      `{ name: s(c(form + "-adopted-part")), token: s(c("secret")) }`,
    ],
    datasetCapabilities: [`s({ [c("dataset")]: { query: ["read"] } })`, `{ web: { query: [s("read")] } }`],
    orgCapabilities: [`s({ apiTokens: ["read"] })`, `{ apiTokens: [s("read")] }`],
    viewCapabilities: [`s({ [c("dataset")]: { query: ["read"] } })`, `{ web: { query: [s("read")] } }`],
    sealFor: [`s(process.env.AGE ?? "")`, `[s(process.env.AGE ?? "")]`],
  },
  Annotation: {
    datasets: [`s([c("dataset")])`, `[s(c("dataset"))]`],
    title: [`s(c("title"))`],
    description: [`s(c("text"))`],
    type: [`s(c("text"))`],
    time: ["s(time)"],
    endTime: ["s(time)"],
    url: [`s("https://example.com/" + c("text"))`],
    triggers: [`s({ by: c("trigger") })`, `{ by: s(c("trigger")) }`],
    retain: ["s(false)"],
  },
  DeploymentAnnotation: {
    datasets: [`s([c("dataset")])`, `[s(c("dataset"))]`],
    title: [`s(c("title"))`],
    description: [`s(c("text"))`],
    type: [`s(c("text"))`],
    url: [`s("https://example.com/" + c("text"))`],
    commit: [`s(c("commit"))`],
    required: ["s(true)"],
  },
  QueryGate: {
    apl: [`s("['web'] | where x == '" + c("query") + "'")`],
    startTime: [`s(time)`],
    endTime: [`s(time)`],
    expect: [`s({ equals: c("value") })`, `{ equals: s(c("value")) }`],
    every: [`s("1s")`],
    for: [`s("2m")`],
    settle: [`s("1s")`],
    noData: [`s("pass" as const)`],
    warnings: [`s("fail" as const)`],
    triggers: [`s({ by: c("trigger") })`, `{ by: s(c("trigger")) }`],
  },
};
/** Words that the program chooses when it is written. */
const neverInputs = ["per"];

const resources = Object.entries(rows).flatMap(([noun, declared]) =>
  Object.entries(declared).flatMap(([argument, values]) =>
    values.map((value, n) => ({ noun, argument, name: `${argument}-${n}`, value })),
  ),
);

test("there is a row for each argument of each resource", () => {
  for (const [token, { inputProperties }] of Object.entries(schema.resources)) {
    const declared = Object.keys(rows[token.slice(token.lastIndexOf(":") + 1)] ?? {});
    expect([...declared].sort()).toEqual(
      Object.keys(inputProperties)
        .filter((key) => !neverInputs.includes(key))
        .sort(),
    );
  }
});

test("no argument that is secret, as a whole or by a member, shows in a preview, an output, the state or a backup", async () => {
  const { recipient } = await ageKey();
  const declared = resources.map(
    ({ noun, argument, name, value }) =>
      `  new ${noun}(form + "-${name}", { ...more.${noun}, ${argument}: ${value} });`,
  );
  const names = ["ApiToken", "Annotation", "DeploymentAnnotation", "QueryGate"];
  const inBothForms = `inBothForms((form, { ${names.join(", ")} }) => {\n${declared.join("\n")}\n});`;
  const env = { CANARY: base, TIMES: [time, length, after].join(" "), AGE: recipient };
  await using it = await deploy("both", [preamble, inBothForms].join("\n"), { env });
  const { workspace, service } = it;
  const body = JSON.parse(oneValueAnswer(canaryOf("value")));
  service.inject({
    ...{ method: "POST", path: "/v1/datasets/_apl", times: 1_000 },
    action: { kind: "status", status: 200, body },
  });
  for (const form of forms)
    for (const name of ["adopted", "adopted-part"]) await makeByHand(service, { name: canaryOf(`${form}-${name}`) });
  await workspace.preview({ args: ["--diff"] });
  await workspace.up({ args: ["--diff"] });
  await workspace.refresh({ args: ["--diff"] });
  await workspace.up({ args: ["--expect-no-changes"] });
  await workspace.run(["stack", "history", "--json"]);

  for (const form of forms) {
    for (const { noun, argument, name } of resources) {
      const { inputs, outputs } = await it.resource(noun, `${form}-${name}`);
      for (const values of [inputs, outputs]) {
        const recorded = values?.[argument];
        const shown = recorded === undefined || JSON.stringify(recorded).includes("ciphertext") ? "" : recorded;
        expect([form, noun, name, shown]).toEqual([form, noun, name, ""]);
      }
    }
  }
  const expiries = service.tokens.list().flatMap(({ expiresAt }) => (expiresAt ? [String(expiresAt)] : []));
  expect(expiries.length).toBeGreaterThanOrEqual(3);
  const secrets = {
    ...Object.fromEntries(texts.map((name) => [name, canaryOf(name)])),
    time,
    length,
    after,
    recipient,
  };
  for (const [name, secret] of [...Object.entries(secrets), ...expiries.map((expiry) => ["expiry", expiry] as const)])
    expect([name, await it.traces(secret)]).toEqual([name, []]);
});

test("states that differ in secrets alone have the same plain part: no hash tells a secret", async () => {
  // The service gives other values than declared, which the state has to remember.
  const answer: Behaviour = (...args) => {
    const shown = { id: "t1", name: "ci", description: "other", expiresAt: "2040-01-01T00:00:00Z" };
    json(200, args[1].call.startsWith("POST") ? { ...shown, token: "xaat-0123456789abcdef" } : shown)(...args);
  };
  await using service = await startService(answer);
  const env = { EVENT_DATASETS_BASE_URL: service.url, EVENT_DATASETS_ACCESS_TOKEN: "xaat-root" };
  const plainParts = async (description: string, expiresAt: string) => {
    const text = `const { DESCRIPTION, EXPIRES_AT } = process.env;
const args = { name: "ci", description: pulumi.secret(DESCRIPTION), expiresAt: pulumi.secret(EXPIRES_AT) };
inBothForms((form, { ApiToken }) => new ApiToken(form, args));`;
    await using it = await deploy("both", text, { env: { ...env, DESCRIPTION: description, EXPIRES_AT: expiresAt } });
    await it.workspace.up();
    const parts = forms.map(async (form) => {
      const { inputs, outputs } = await it.resource("ApiToken", form);
      return JSON.parse(
        JSON.stringify({ inputs, outputs }, (key, value) =>
          typeof value?.ciphertext === "string" || key === "evidence" ? "hidden" : value,
        ),
      );
    });
    return Promise.all(parts);
  };
  const ones = await plainParts("first", "2031-01-01T00:00:00Z");
  for (const { outputs } of ones)
    expect(outputs).toMatchObject({ token: "hidden", expiresAt: "hidden", secretRecord: "hidden" });
  expect(await plainParts("second", "2032-02-02T00:00:00Z")).toEqual(ones);
});
