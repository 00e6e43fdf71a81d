import { chmod, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { forms } from "../../support/forms";
import { useWarmHosts } from "../../support/warmHosts";
import { declare, deploy, expiresAt, idsOf, liveIds, rights } from "./world";

useWarmHosts();

// Each stack has its tokens in both forms, named after their form.

/** A token; in its arguments and options the form is `form`. */
const token = (name: string, args: string, options = "") =>
  `new ApiToken(form + "-${name}", { ${rights}, expiresAt: "${expiresAt}", ${args} }, { ${options} });`;
const program = (...tokens: string[]) => `inBothForms((form, { ApiToken }) => {
  ${tokens.join("\n  ")}
});`;

const inForms = (name: string) => forms.map((form) => `${form}-${name}`);

// The engine tells the provider nothing of resources outside of the targets: docs/guides/adopt.md, with these three ways.
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

  const moved = [
    token("a", `name: form + "-renamed"`, `aliases: [{ name: form + "-renamed" }]`),
    token("b", `name: form + "-expiring", adopt: { name: form + "-expiring" }`),
    token("c", `name: form + "-forgotten", adopt: { name: form + "-forgotten" }`),
  ];
  await declare(it, "both", program(...moved, old("expiring"), old("forgotten")));
  const target = (urn: string) => ["--target", urn];
  const targets = ["a", "b", "c"].flatMap((name) => expiring.map((urn) => urn.replace(/-expiring$/, `-${name}`)));
  await workspace.up({ args: targets.flatMap(target) });
  await workspace.run(["state", "delete", "--yes", ...forgotten]);
  await declare(it, "both", program(...moved));
  await workspace.up({ args: expiring.flatMap(target) });
  expect(liveIds(it)).toEqual(before);
  await workspace.up({ args: ["--expect-no-changes"] });
});

describe("notes of adoptions are this user's alone", () => {
  test("a folder that others can write stops a deletion, and no command leaves a note behind", async () => {
    await using it = await deploy("both", program(token("maker", `name: form`)));
    const { workspace } = it;
    await workspace.up();
    const made = liveIds(it);
    const folder = path.join(workspace.temp, `event-datasets-${process.geteuid?.()}`);
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o777);
    // By default the engine begins no other deletion after the first failure.
    const expectRefusal = async (reason: string) => {
      const { stdout } = await workspace.destroy({ args: ["--continue-on-error"], expectFailure: true });
      const failed = stdout.split("\n").filter((line) => line.includes("**deleting failed**") && line.includes(reason));
      for (const form of forms) expect(failed).toContainEqual(expect.stringContaining(`${form}-maker`));
    };
    await expectRefusal("it is not a folder of this user alone");
    expect(liveIds(it)).toEqual(made);
    expect((await idsOf(it, inForms("maker"))).sort()).toEqual([...made].sort());

    await rm(folder, { recursive: true });
    await writeFile(folder, "");
    await expectRefusal("could revoke one: set TMPDIR");
    expect(liveIds(it)).toEqual(made);
    await rm(folder);

    await declare(it, "both", program(token("heir", `name: form, adopt: { name: form }`)));
    await workspace.preview();
    await workspace.up();
    await workspace.refresh();
    expect((await idsOf(it, inForms("heir"))).sort()).toEqual([...made].sort());
    expect(liveIds(it)).toEqual(made);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(await readdir(folder)).toEqual([]);
  });
});
