import { expect, test } from "@jest/globals";
import { forms } from "../../support/program";
import { ageTokens } from "../../support/stack";
import { auditRules, declare, deploy, expiresAt, idsOf, linesAbout, liveIds, rights } from "./world";

// In the first update that fails, new tokens exist, and the engine has not deleted the old ones. The next ones delete them.

/** Tokens that rotate, one that another resource adopts, and a consumer that is updated after all of them. */
const program = (round: number, kept = "", given?: Readonly<Record<string, string>>) => `
const given: Record<string, string> | undefined = ${JSON.stringify(given)};
const tokens = inBothForms((form, { ApiToken }) => {
  const args = { expiresAt: "${expiresAt}", ${rights} };
  const rotation = { triggers: { round: ${round} } };
  return [
    new ApiToken(form + "-plain", { ...args, rotation }),
    new ApiToken(form + "-kept", { ...args, rotation, ${kept} }),
    given
      ? new ApiToken(form + "-taker", { ...args, name: form + "-given", adopt: { id: given[form] ?? "" } })
      : new ApiToken(form + "-given", { ...args, name: form + "-given" }),
  ];
}).flat();
new dynamic.Annotation("consumer", { datasets: ["web"], type: "release", title: pulumi.all(tokens.map(({ id }) => id)).apply(String) }, { dependsOn: tokens });
`;

test("each end of an old token after an interrupted update is announced, also to those that --target and --exclude leave out", async () => {
  await using it = await deploy("both", program(1));
  const { workspace, service } = it;
  await workspace.up();
  const old = (name: string) =>
    idsOf(
      it,
      forms.map((form) => `${form}-${name}`),
    );
  const [plain, kept, given] = [await old("plain"), await old("kept"), await old("given")];

  const adopting = Object.fromEntries(forms.map((form, at) => [form, given[at] ?? ""]));
  await declare(it, "both", program(2, "", adopting));
  service.inject({ method: "PUT", path: "/v2/annotations/*", action: { kind: "status", status: 400 } });
  await workspace.up({ expectFailure: true });
  const successors = await old("plain");
  expect(liveIds(it)).toEqual(expect.arrayContaining([...plain, ...kept, ...given, ...successors]));

  const urns = await Promise.all(forms.map(async (form) => (await it.resource("ApiToken", `${form}-plain`)).urn));
  const args = urns.flatMap((urn) => ["--target", urn]);
  const revokes = { dynamic: "This update revokes it", native: "If its deletion is pending, this update revokes it" };
  for (const result of [await workspace.preview({ args }), await workspace.up({ args })]) {
    for (const [at, form] of forms.entries()) {
      const replaced = `(id ${successors[at]}) replaced in an update that did not finish, is still valid. ${revokes[form]}: a consumer that failed then, or that --target or --exclude leaves out, loses its secret.`;
      expect(linesAbout(result, `API token ${plain[at]}, which API token "${form}-plain`).join()).toContain(replaced);
    }
    for (const id of [...kept, ...given]) expect(linesAbout(result, `API token ${id}`)).toEqual([]);
  }
  expect(liveIds(it)).toEqual(expect.not.arrayContaining(plain));
  expect(liveIds(it)).toEqual(expect.arrayContaining([...kept, ...given]));

  // The first resource of an adopted token is removed: the preview shows that by itself.
  await declare(it, "both", program(2, 'retire: "expire"', adopting));
  const takers = await Promise.all(forms.map(async (form) => (await it.resource("ApiToken", `${form}-taker`)).urn));
  const excluding = takers.flatMap((urn) => ["--exclude", urn]);
  for (const form of forms)
    expect((await workspace.preview({ args: excluding })).stdout).toMatch(new RegExp(`${form}-given\\s+delete`));
  const excluded = await workspace.up({ args: excluding });
  for (const id of given) expect(linesAbout(excluded, id).join()).toContain(`(id ${id}) was revoked.`);
  for (const id of kept) expect(linesAbout(excluded, `API token ${id}`)).toEqual([]);
  expect(liveIds(it)).toEqual(expect.not.arrayContaining(given));
  expect(liveIds(it)).toEqual(expect.arrayContaining(kept));
  const rulesAbout = await auditRules(it);
  expect(kept.map(rulesAbout)).toEqual([["retired"], ["retired"]]);

  // The record of a token names those that it replaced; what is gone is not announced again.
  await ageTokens(workspace);
  const later = await workspace.preview({ args });
  for (const id of plain) expect(linesAbout(later, id)).toEqual([]);
});
