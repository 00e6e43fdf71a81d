import { describe, expect, test } from "@jest/globals";
import { makeByHand } from "../../support/deployment";
import { forms } from "../../support/program";
import { auditRules, declare, deploy, expiresAt, idsOf, liveIds } from "./world";

// The table of docs/guides/rotate.md, "What happens to the old token", on the engine: rows that one update can hold, in both
// forms. tests/lifecycle/oldToken.test.ts has every row, on the engine in memory.

/** One row: the resource in the first update and in the second one, and what has become of its first token then. */
interface Row {
  /** Arguments beside the capabilities and the expiry. */
  readonly first?: string;
  /** "removed": the program does not declare the resource any more. */
  readonly next: string;
  readonly options?: string;
  /** Whether the first token is live after the update, and after the stack is destroyed. */
  readonly lives: boolean;
  /** The words of the preview about the first token; undefined: nothing. */
  readonly preview?: string;
  /** The rule of the audit's finding about the first token after the update; undefined: no finding. */
  readonly audit?: string;
}

const round = (number: number, more = "") => `rotation: { ${more}triggers: { round: ${number} } },`;
const isRevoked = "The old token is revoked once nothing in this update needs it";

const extended: Readonly<Record<string, Row>> = {
  replaced: { first: round(1), next: round(2), lives: false, preview: isRevoked },
  kept: {
    first: `retire: "expire", ${round(1)}`,
    next: `retire: "expire", ${round(2)}`,
    lives: true,
    preview: `stays valid until ${expiresAt} (retire is "expire")`,
    audit: "retired",
  },
  overlapping: {
    first: round(1, 'overlap: "2d", '),
    next: round(2, 'overlap: "2d", '),
    lives: true,
    preview: "(rotation.overlap)",
    audit: "retired",
  },
  removed: { next: "removed", lives: false },
  borrowed: { first: "adopt: ADOPT,", next: "removed", lives: true, audit: "undeclared" },
  owned: { first: "adopt: ADOPT,", next: round(2), lives: false, preview: isRevoked },
  forced: { next: "", lives: false },
  first: { first: round(1), next: round(2), options: "deleteBeforeReplace: true", lives: false, preview: isRevoked },
  given: { next: "removed", lives: true },
};

const stays = `stays valid until ${expiresAt} (the profile "documented" cannot revoke a token`;
const documented: Readonly<Record<string, Row>> = {
  replaced: { first: round(1), next: round(2), lives: true, preview: stays, audit: "retired" },
  removed: { next: "removed", lives: true, audit: "undeclared" },
  borrowed: { first: "adopt: ADOPT,", next: "removed", lives: true, audit: "undeclared" },
  owned: { first: "adopt: ADOPT,", next: round(2), lives: true, preview: stays, audit: "retired" },
  forced: { next: "", lives: true, audit: "undeclared" },
  given: { next: "removed", lives: true },
};

describe.each([
  ["extended", extended],
  ["documented", documented],
] as const)("in the %s profile and both forms, the old token", (profile, rows) => {
  test("ends as the table says, whichever way its resource gives it up, and the preview says so", async () => {
    const names = Object.keys(rows);
    const declaration = (name: string, args: string, options = "") =>
      `  new ApiToken(form + "-${name}", { name: form + "-${name}", expiresAt: "${expiresAt}", orgCapabilities: { apiTokens: ["read"] }, ${args.replace("ADOPT", `{ id: ids[form + "-${name}"] ?? "" }`)} }, { ${options} });\n`;
    await using it = await deploy("both", "", { profile });
    const { workspace, service } = it;
    const spec = { expiresAt, orgCapabilities: { apiTokens: ["read"] } } as const;
    const ids: Record<string, string> = {};
    for (const name of forms.flatMap((form) => [`${form}-borrowed`, `${form}-owned`]))
      ids[name] = (await makeByHand(service, { name, ...spec })).id;
    const live = `const ids: Record<string, string> = ${JSON.stringify(ids)};\n`;
    const program = (list: readonly string[]) => `${live}inBothForms((form, { ApiToken }) => {\n${list.join("")}});`;
    const first = names.map((name) => declaration(name, rows[name]?.first ?? "", rows[name]?.options));
    await declare(it, "both", program(first));
    await workspace.up();
    const cases = forms.flatMap((form) => names.map((name) => ({ form, name, row: rows[name] as Row })));
    const old = await idsOf(
      it,
      cases.map(({ form, name }) => `${form}-${name}`),
    );
    const idOf = (form: string, name: string) => old[cases.findIndex((one) => one.form === form && one.name === name)];

    const left = names.filter((name) => rows[name]?.next !== "removed");
    const taken = JSON.stringify(Object.fromEntries(forms.map((form) => [form, idOf(form, "given")])));
    const taker = `  new ApiToken(form + "-taker", { name: form + "-given", expiresAt: "${expiresAt}", orgCapabilities: { apiTokens: ["read"] }, adopt: { id: (${taken} as any)[form] } });\n`;
    const then = left.map((name) => declaration(name, rows[name]?.next ?? "", rows[name]?.options));
    await declare(it, "both", program([...then, taker]));
    const urns = await Promise.all(forms.map(async (form) => (await it.resource("ApiToken", `${form}-forced`)).urn));
    const args = urns.flatMap((urn) => ["--replace", urn]);
    const preview = await workspace.preview({ args });
    const said = (id: string | undefined) =>
      (preview.stdout + preview.stderr).split("\n").filter((line) => line.includes(`(id ${id}) will be replaced`));
    await workspace.up({ args });
    const rulesAbout = await auditRules(it);
    const found = cases.map(({ form, name, row }, at) => ({
      case: `${form} ${name}`,
      lives: liveIds(it).includes(old[at] ?? ""),
      preview: said(old[at]).some((line) => line.includes(row.preview ?? "replaced")),
      audit: rulesAbout(old[at] ?? ""),
    }));
    expect(found).toEqual(
      cases.map(({ form, name, row }) => ({
        case: `${form} ${name}`,
        lives: row.lives,
        preview: row.preview !== undefined,
        audit: row.audit === undefined ? [] : [row.audit],
      })),
    );

    // Row 5: a destroy says which earlier tokens are left. A token that lived stays, and those that the stack has now follow their own records.
    const successors = await idsOf(
      it,
      forms.flatMap((form) => left.map((name) => `${form}-${name}`)),
    );
    const { stdout, stderr } = await workspace.destroy();
    const survivors = new Set([
      ...old.filter((_, at) => cases[at]?.row.lives),
      ...successors.filter(
        (_, at) => profile === "documented" || rows[left[at % left.length] ?? ""]?.next.includes("expire"),
      ),
    ]);
    expect(new Set(liveIds(it))).toEqual(survivors);
    const retired = cases.flatMap(({ row }, at) => (row.audit === "retired" ? [old[at]] : []));
    for (const id of retired) expect(stdout + stderr).toMatch(new RegExp(`may still be valid: [^\\n]*${id}`));
  });
});
