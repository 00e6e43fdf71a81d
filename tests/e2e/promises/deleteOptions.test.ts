import { expect, test } from "@jest/globals";
import { forms } from "../../support/program";
import { auditRules, declare, deploy, expiresAt, idsOf, linesAbout, liveIds, rights } from "./world";

// The engine deletes an old token without a comparison, or never asks for its deletion.

/** By name, a token's arguments and options. */
type Declared = Readonly<Record<string, readonly [args: string, options?: string]>>;

const program = (declared: Declared, owner = "") => `inBothForms((form, { ApiToken, Annotation }) => {
  const args = { expiresAt: "${expiresAt}", ${rights} };
  ${owner}
${Object.entries(declared)
  .map(
    ([name, [own, options = ""]]) =>
      `  const ${name} = new ApiToken(form + "-${name}", { ...args, ${own} }, { ${options} } as pulumi.CustomResourceOptions);`,
  )
  .join("\n")}
});
`;

const round = (number: number) => `rotation: { triggers: { round: ${number} } }`;
const overlap = 'rotation: { overlap: "2d" }';
const forced = { forced: [overlap], tainted: [overlap] } as const;

test("the preview names the option that keeps an old token, and a deletion without a comparison says what it did", async () => {
  const first = program(
    {
      retained: [round(1), "retainOnDelete: true"],
      late: [round(1)],
      linked: [round(1), "deletedWith: owner"],
      ...forced,
      triggered: [overlap, "replacementTrigger: 1"],
      led: [overlap, "replaceWith: [retained]"],
    },
    'const owner = new Annotation(form + "-owner", { datasets: ["web"], type: "release" });',
  );
  await using it = await deploy("both", first);
  const { workspace } = it;
  await workspace.up();
  const names = ["retained", "late", "linked", "forced", "tainted", "triggered", "led"] as const;
  const declared = forms.flatMap((form) => names.map((name) => ({ form, name })));
  const ids = await idsOf(
    it,
    declared.map(({ form, name }) => `${form}-${name}`),
  );
  const idOf = (form: string, name: string) =>
    ids[declared.findIndex((one) => one.form === form && one.name === name)] ?? "";

  const then = program({
    retained: [round(2), "retainOnDelete: true"],
    late: [round(2), "retainOnDelete: true"],
    linked: [round(2)],
    ...forced,
    triggered: [overlap, "replacementTrigger: 2"],
    led: [overlap, "replaceWith: [retained]"],
  });
  await declare(it, "both", then);
  const urnOf = async (name: string) => (await it.resource("ApiToken", name)).urn;
  for (const form of forms) await workspace.run(["state", "taint", await urnOf(`${form}-tainted`), "--yes"]);
  const args = (await Promise.all(forms.map((form) => urnOf(`${form}-forced`)))).flatMap((urn) => ["--replace", urn]);
  const preview = await workspace.preview({ args });
  const said = (form: string, name: string) => linesAbout(preview, `(id ${idOf(form, name)}) will be replaced`).join();
  const later = "The options retainOnDelete and deletedWith take effect from the next update on";
  const revoked = "The old token is revoked once nothing in this update needs it";
  expect(said("dynamic", "retained")).toContain(
    `The old token stays valid until ${expiresAt} (the option retainOnDelete)`,
  );
  expect(said("dynamic", "late")).toContain(`${revoked}. ${later}`);
  expect(said("dynamic", "linked")).toContain(
    `${revoked}, unless the resource of the option deletedWith is deleted too: then it stays valid. ${later}`,
  );
  for (const name of ["retained", "late", "linked"])
    expect(said("native", name)).toContain(`${revoked}, unless the option retainOnDelete or deletedWith keeps it.`);

  const result = await workspace.up({ args });
  const lost = "rotation.overlap had no effect, because the resource was removed, or was replaced";
  for (const form of forms)
    for (const name of ["forced", "tainted", "triggered", "led"])
      expect(linesAbout(result, `(id ${idOf(form, name)}) was revoked. ${lost}`)).not.toEqual([]);
  const rulesAbout = await auditRules(it);
  const found = declared.map(({ form, name }, at) => ({
    case: `${form} ${name}`,
    lives: liveIds(it).includes(ids[at] ?? ""),
    audit: rulesAbout(ids[at] ?? ""),
  }));
  expect(found).toEqual(
    declared.map(({ form, name }) => {
      // The engine obeys the options of the old token.
      const lives = name === "retained" || name === "linked";
      // The audit reads the option retainOnDelete in the state. Nothing says which resources were deleted together.
      const isKnown = name === "retained";
      return { case: `${form} ${name}`, lives, audit: lives ? [isKnown ? "retired" : "orphaned"] : [] };
    }),
  );
});
