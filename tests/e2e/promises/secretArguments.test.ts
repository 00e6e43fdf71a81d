import { expect, test } from "@jest/globals";
import { makeByHand } from "../../support/deployment";
import { ageKey } from "../../support/keys";
import { forms } from "../../support/program";
import { oneValueAnswer } from "../../support/queryAnswers";
import { declare, deploy } from "./world";

/** The text of every canary begins with it. It is in the programs' environment only. */
const base = "cnry5d1f7a";
const texts = ["name", "text", "dataset", "trigger", "secret", "title", "query", "value", "commit"];
const canaryOf = (name: string) => `${base}-${name}-0c9e5b2a`;
const [time, length] = ["2031-03-07T09:41:53Z", "P1Y2M3DT14H35M56S"];

/** In programs: `c` is a canary, `s` makes a secret. */
const preamble = `
const c = (name: string) => process.env.CANARY + "-" + name + "-0c9e5b2a";
const [time = "", length = ""] = (process.env.TIMES ?? "").split(" ");
const s = pulumi.secret;
const more = {
  ApiToken: {},
  Annotation: { datasets: ["web"], type: "deploy", time: "2030-01-01T00:00:00Z" },
  DeploymentAnnotation: { datasets: ["web"], commit: "0a1b2c3" },
  QueryGate: { apl: "['web'] | count", startTime: "now-5m", endTime: "now", triggers: { a: 1 }, every: "1s", expect: s({ equals: c("value") }) },
};
`;

/** Arguments as secrets: as a whole, and by their members. tests/lifecycle/secretArguments.test.ts has every argument. */
const rows: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ApiToken: {
    name: [`s(c("name"))`],
    expiresAt: ["s(time)"],
    expiresIn: ["s(length)"],
    rotation: [`s({ triggers: { by: c("trigger") } })`, `{ overlap: s("14d"), triggers: { by: s(c("trigger")) } }`],
    adopt: [
      `s({ id: ids[form]?.[0] ?? "", token: c("secret") }), name: "adopted"`,
      `{ id: s(ids[form]?.[1] ?? ""), token: s(c("secret")) }, name: "adopted"`,
    ],
    datasetCapabilities: [`s({ [c("dataset")]: { query: ["read"] } })`, `{ web: { query: [s("read")] } }`],
    sealFor: [`s(process.env.AGE ?? "")`, `[s(process.env.AGE ?? "")]`],
  },
  Annotation: {
    datasets: [`[s(c("dataset"))]`],
    title: [`s(c("title"))`],
    endTime: ["s(time)"],
    triggers: [`{ by: s(c("trigger")) }`],
  },
  DeploymentAnnotation: { description: [`s(c("text"))`], commit: [`s(c("commit"))`] },
  QueryGate: {
    apl: [`s("['web'] | where x == '" + c("query") + "'")`],
    expect: [`s({ equals: c("value") })`, `{ equals: s(c("value")) }`],
  },
};

const resources = Object.entries(rows).flatMap(([noun, declared]) =>
  Object.entries(declared).flatMap(([argument, values]) =>
    values.map((value, n) => ({ noun, argument, name: `${argument}-${n}`, value })),
  ),
);

test("no argument that is secret, as a whole or by a member, shows in a preview, an output, the state or a backup", async () => {
  const { recipient } = await ageKey();
  const declared = resources.map(
    ({ noun, argument, name, value }) =>
      `  new ${noun}(form + "-${name}", { ...more.${noun}, ${argument}: ${value} });`,
  );
  const names = ["ApiToken", "Annotation", "DeploymentAnnotation", "QueryGate"];
  const inBothForms = `inBothForms((form, { ${names.join(", ")} }) => {\n${declared.join("\n")}\n});`;
  const env = { CANARY: base, TIMES: [time, length].join(" "), AGE: recipient };
  await using it = await deploy("both", "", { env });
  const { workspace, service } = it;
  const adoptable = async () => (await makeByHand(service, { name: "adopted" })).id;
  const ids: Record<string, readonly string[]> = {};
  for (const form of forms) ids[form] = [await adoptable(), await adoptable()];
  const live = `const ids: Record<string, readonly string[]> = ${JSON.stringify(ids)};`;
  await declare(it, "both", [preamble, live, inBothForms].join("\n"));
  const body = JSON.parse(oneValueAnswer(canaryOf("value")));
  service.inject({
    method: "POST",
    path: "/v1/datasets/_apl",
    times: 1_000,
    action: { kind: "status", status: 200, body },
  });
  await workspace.preview({ args: ["--diff"] });
  await workspace.up({ args: ["--diff"] });
  await workspace.refresh({ args: ["--diff", "--expect-no-changes"] });
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
    recipient,
  };
  for (const [name, secret] of [...Object.entries(secrets), ...expiries.map((expiry) => ["expiry", expiry] as const)])
    expect([name, await it.traces(secret)]).toEqual([name, []]);
});
