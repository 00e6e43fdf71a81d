import { expect, test } from "@jest/globals";
import { forms } from "../../support/program";
import { declare, deploy, expiresAt, liveIds, rights } from "./world";

// Each stack has its tokens in both forms, named after their form.

/** A token; in its arguments and options the form is `form`. */
const token = (name: string, args: string, options = "") =>
  `new ApiToken(form + "-${name}", { ${rights}, expiresAt: "${expiresAt}", ${args} }, { ${options} });`;
const program = (...tokens: string[]) => `inBothForms((form, { ApiToken }) => {
  ${tokens.join("\n  ")}
});`;

const inForms = (name: string) => forms.map((form) => `${form}-${name}`);

// The engine tells the provider nothing of resources outside of the targets, so a token moves in one of these ways.
test("with --target a token moves to another resource by an alias, after retire: expire, or after pulumi state delete", async () => {
  const names = ["renamed", "expiring", "forgotten"] as const;
  const old = (name: string) =>
    token(name, `name: form + "-${name}", ${name === "expiring" ? `retire: "expire"` : ""}`);
  await using it = await deploy("both", program(...names.map(old)));
  const { workspace } = it;
  await workspace.up();
  const before = liveIds(it);
  const urnsOf = (name: string) =>
    Promise.all(inForms(name).map(async (one) => (await it.resource("ApiToken", one)).urn));
  const [expiring, forgotten] = [await urnsOf("expiring"), await urnsOf("forgotten")];

  const idOf = async (name: string) => [name, (await it.resource("ApiToken", name)).id] as const;
  const ids = Object.fromEntries(await Promise.all(["expiring", "forgotten"].flatMap(inForms).map(idOf)));
  const adopting = (name: string) =>
    `name: form + "-${name}", adopt: { id: ${JSON.stringify(ids)}[form + "-${name}"] }`;
  const moved = [
    token("a", `name: form + "-renamed"`, `aliases: [{ name: form + "-renamed" }]`),
    token("b", adopting("expiring")),
    token("c", adopting("forgotten")),
  ];
  await declare(it, "both", program(...moved, old("expiring"), old("forgotten")));
  const target = (urn: string) => ["--target", urn];
  const targets = ["a", "b", "c"].flatMap((name) => expiring.map((urn) => urn.replace(/-expiring$/, `-${name}`)));
  await workspace.up({ args: targets.flatMap(target) });
  for (const urn of forgotten) await workspace.run(["state", "delete", "--yes", urn]); // an older CLI takes one
  await declare(it, "both", program(...moved));
  await workspace.up({ args: expiring.flatMap(target) });
  expect(liveIds(it)).toEqual(before);
  await workspace.up({ args: ["--expect-no-changes"] });
});
