import { chmod, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { forms } from "../../support/forms";
import { useWarmHosts } from "../../support/warmHosts";
import { declare, deploy, expiresAt, liveIds, rights } from "./world";

useWarmHosts();

const token = (name: string, args: string, options = "") =>
  `new ApiToken("${name}", { ${rights}, expiresAt: "${expiresAt}", ${args} }, { ${options} });`;

describe.each(forms)("in the %s form", (form) => {
  // The engine tells the provider nothing of resources outside of the targets: docs/guides/adopt.md, with these three ways.
  test("with --target a token moves to another resource by an alias, after retire: expire, or after pulumi state delete", async () => {
    const names = ["renamed", "expiring", "forgotten"] as const;
    const old = (name: string) => token(name, `name: "${name}", ${name === "expiring" ? `retire: "expire"` : ""}`);
    await using it = await deploy(form, names.map(old).join("\n"));
    const { workspace } = it;
    await workspace.up();
    const before = liveIds(it);
    const urnOf = async (name: string) => (await it.resource("ApiToken", name)).urn;
    const [expiring, forgotten] = [await urnOf("expiring"), await urnOf("forgotten")];

    const moved = [
      token("a", `name: "renamed"`, `aliases: [{ name: "renamed" }]`),
      token("b", `name: "expiring", adopt: { name: "expiring" }`),
      token("c", `name: "forgotten", adopt: { name: "forgotten" }`),
    ];
    await declare(it, form, [...moved, old("expiring"), old("forgotten")].join("\n"));
    const targets = ["a", "b", "c"].flatMap((name) => ["--target", expiring.replace(/::expiring$/, `::${name}`)]);
    await workspace.up({ args: targets });
    await workspace.run(["state", "delete", "--yes", forgotten]);
    await declare(it, form, moved.join("\n"));
    await workspace.up({ args: ["--target", expiring] });
    expect(liveIds(it)).toEqual(before);
    await workspace.up({ args: ["--expect-no-changes"] });
  });

  describe("notes of adoptions are this user's alone", () => {
    const adopting = token("heir", `name: "made", adopt: { name: "made" }`);

    test("a folder that others can write stops a deletion, and no command leaves a note behind", async () => {
      await using it = await deploy(form, token("maker", `name: "made"`));
      const { workspace } = it;
      await workspace.up();
      const [made = ""] = liveIds(it);
      const folder = path.join(workspace.temp, `event-datasets-${process.geteuid?.()}`);
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o777);
      const refused = await workspace.destroy({ expectFailure: true });
      expect(refused.stdout + refused.stderr).toContain("it is not a folder of this user alone");
      expect(liveIds(it)).toEqual([made]);
      expect((await it.resource("ApiToken", "maker")).id).toBe(made);

      await rm(folder, { recursive: true });
      await writeFile(folder, "");
      expect((await workspace.destroy({ expectFailure: true })).stdout).toContain("could revoke one: set TMPDIR");
      expect(liveIds(it)).toEqual([made]);
      await rm(folder);

      await declare(it, form, adopting);
      await workspace.preview();
      await workspace.up();
      await workspace.refresh();
      expect((await it.resource("ApiToken", "heir")).id).toBe(made);
      expect(liveIds(it)).toEqual([made]);
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
      expect(await readdir(folder)).toEqual([]);
    });
  });
});
