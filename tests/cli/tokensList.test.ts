import { describe, expect, test } from "@jest/globals";
import { useAuditFolder } from "../support/auditFolder";
import { json, startService } from "../support/service";

const folder = useAuditFolder();

async function run(answer: unknown, args: readonly string[], env: Record<string, string> = {}) {
  await using service = await startService(json(200, answer));
  const result = await folder.run(args, service, env);
  return { ...result, calls: service.calls };
}

const names = (stdout: string) => JSON.parse(stdout).map(({ name }: { name: string }) => name);

describe("tokens list", () => {
  const live = [
    { id: "t1", name: "never" },
    { id: "t2", name: "later", expiresAt: "2999-01-01T00:00:00Z", orgCapabilities: { rbac: ["create"] } },
    { id: "t3", name: "sooner", expiresAt: "2998-01-01T00:00:00Z", description: "xaat-0a1b2c3d-4e5f" },
    { id: "t4", name: "past", expiresAt: "2001-01-01T00:00:00Z" },
    { id: "t5", name: "zero", expiresAt: "0001-01-01T00:00:00Z" },
  ];
  const list = (...args: string[]) => run(live, ["tokens", "list", ...args]);

  test("starts with the earliest expiry, ends with tokens that never expire, and shows no secret from a description", async () => {
    const { code, stdout, calls } = await list("--output", "json");
    expect([code, calls]).toEqual([0, ["GET /v2/tokens"]]);
    expect(names(stdout)).toEqual(["sooner", "later", "never", "zero"]);
    expect(stdout).not.toContain("0a1b2c3d");
  });

  test.each<[string[], string[]]>([
    [[], ["sooner", "later", "never", "zero"]],
    [["--name", "la*"], ["later"]],
    [["--name", "la"], []],
  ])("with %j has %j", async (args, expected) => {
    expect(names((await list("--output", "json", ...args)).stdout)).toEqual(expected);
  });

  test("refuses an unusable time by the name of its option, before anything is sent", async () => {
    const { code, stderr, calls } = await list("--expiring-within", "soon");
    expect([code, calls]).toEqual([2, []]);
    expect(stderr).toContain("--expiring-within: must be a duration such as");
  });

  test.each([80, 40, 20])(
    "never truncates an id or an expiry, which other commands need, at %i columns",
    async (columns) => {
      const ids = ["0d6b7a52-3c1f-4a61-9c9b-8f2d1f5e7a10", "5f0c6f1f-3a7e-4d2b-8c55-0a1b2c3d4e5f"];
      const long = ids.map((id) => ({ id, name: "a name that is longer than the terminal is wide", description: "x" }));
      const { stdout } = await run(long, ["tokens", "list"], { COLUMNS: String(columns) });
      for (const id of ids) expect(stdout).toContain(id);
    },
  );

  test("is a table with the capabilities of each token", async () => {
    const lines = (await list()).stdout.split("\n").map((line) => line.replace(/ +/g, " "));
    expect(lines[0]).toBe("expires name id capabilities description");
    expect(lines[3]).toBe("2999-01-01T00:00:00Z later t2 rbac:create");
    expect(lines[5]).toBe("never zero t5");
  });

  test("shows an expiry and capabilities of an unknown form as unreadable", async () => {
    const { stdout } = await run(
      [{ id: "t1", name: "odd", expiresAt: 12, orgCapabilities: "all" }],
      ["tokens", "list"],
    );
    expect(stdout.replace(/ +/g, " ")).toContain("unreadable odd t1 unreadable orgCapabilities\n");
  });
});
