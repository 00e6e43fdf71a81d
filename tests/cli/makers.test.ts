import { expect, test } from "@jest/globals";
import { EventDatasets } from "../../sdk";
import { fakePulumi, stackOf, useAuditFolder } from "../support/auditFolder";
import { auditShapes } from "../support/audits";
import { startTemporaryEmulator } from "../support/deployment";

// The service documents one field of its audit log, so the emulator writes two shapes that have no other one in common.

const folder = useAuditFolder();
const expiresAt = "2099-01-01T00:00:00Z";

test.each(Object.entries(auditShapes))(
  "who made, changed and deleted a token is named from events of the shape %s",
  async (_, auditLog) => {
    await using service = await startTemporaryEmulator({ profile: "extended", auditLog });
    await using root = new EventDatasets({ baseUrl: service.url, accessToken: service.rootToken, profile: "extended" });
    const orgCapabilities = { apiTokens: ["create", "read", "update", "delete"] } as const;
    const person = await root.tokens.create({ name: "alice", expiresAt, orgCapabilities });
    await using alice = new EventDatasets({ baseUrl: service.url, accessToken: person.token, profile: "extended" });
    const made = await alice.tokens.create({ name: "by hand", expiresAt });
    const gone = await root.tokens.create({ name: "gone", expiresAt });
    await alice.tokens.delete(gone.id);

    const access = { EVENT_DATASETS_ACCESS_TOKEN: service.rootToken, EVENT_DATASETS_PROFILE: "extended" };
    const tokens = [gone, person].map(({ id, name }) => ({ id, name, inputs: { expiresAt, name } }));
    const env = { ...(await fakePulumi(folder, { stacks: [{ ...stackOf("acme/web/prod"), tokens }] })), ...access };
    const actor = "by (?:name|email) alice(?:@example.com)?";
    const audit = await folder.run(["audit", "--all-stacks", "--who", "--output", "json"], service, env);
    const told = JSON.parse(audit.stdout).findings.map((one: { rule: string; message: string }) => [
      one.rule,
      one.message,
    ]);
    expect(told).toContainEqual([
      "undeclared",
      expect.stringMatching(RegExp(`; 20\\d\\d-.*Z createAPIToken ${actor}$`)),
    ]);
    expect(told).toContainEqual(["missing", expect.stringMatching(RegExp(`deleteAPIToken ${actor}`))]);

    const show = await folder.run(["tokens", "show", made.id, "--who"], service, env);
    expect(show.stdout).toMatch(RegExp(`\n {2}20\\d\\d-.*Z createAPIToken ${actor}\n`));

    // An access token that may not read the log gets everything else.
    const blind = { ...env, EVENT_DATASETS_ACCESS_TOKEN: person.token };
    const without = await folder.run(["audit", "--all-stacks", "--who=audit of tokens"], service, blind);
    expect([without.code, without.stdout.includes("undeclared")]).toEqual([1, true]);
    expect(without.stderr).toContain("only owners may read axiom-audit; others need a view");
    const shown = await folder.run(["tokens", "show", made.id, "--who"], service, blind);
    expect([shown.code, shown.stdout]).toEqual([
      0,
      expect.stringContaining("only owners may read axiom-audit; others"),
    ]);
    expect(without.stdout).not.toContain("not within");
  },
);
