import path from "node:path";
import { expect, test } from "@jest/globals";
import { environmentOf } from "../../emulator/emulator";
import { start } from "../support/command";
import { startTemporaryEmulator } from "../support/deployment";
import { CHECKOUT } from "../support/program";

const script = path.join(CHECKOUT, "scripts/acceptance.mjs");

async function accept(url: string, rootToken: string, ...options: string[]) {
  const env = { PATH: process.env.PATH, ...environmentOf({ url, rootToken, profile: "extended" }) };
  return await (await start(process.execPath, [script, ...options], { cwd: CHECKOUT, env })).done;
}

test("every fact holds in the emulator, and only what was there before is left", async () => {
  await using service = await startTemporaryEmulator({ profile: "extended" });
  await service.tokens.add([{ id: "0a1b2c", name: "by hand" }]);
  await service.ingest("web", [{ status: 200 }]);
  const { code, stdout, stderr } = await accept(service.url, service.rootToken);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^\| Fact +\| Expected +\| Seen +\|/m);
  expect(stdout).toMatch(/^(\d+) of \1 facts hold at http/m);
  expect(stdout.match(/\| holds/g)?.length).toBeGreaterThan(20);
  expect(stdout).not.toMatch(/xaat-[0-9a-f]/);
  expect(service.tokens.list().map(({ id }) => id)).toEqual(["0a1b2c"]);
  expect(service.annotations.list()).toEqual([]);
  const known = await fetch(`${service.url}/v2/datasets`, {
    headers: { authorization: `Bearer ${service.rootToken}` },
  });
  expect(((await known.json()) as { id: string }[]).map(({ id }) => id)).toEqual(["web"]);
});

test("a fact that differs is named, and what was created is deleted all the same", async () => {
  await using service = await startTemporaryEmulator({ profile: "extended" });
  service.inject({ method: "POST", path: "/v1/datasets/_apl", action: { kind: "status", status: 400 } });
  const { code, stdout } = await accept(service.url, service.rootToken);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^\| a query counts it +\| 1 +\| 400 +\| DIFFERS +\|$/m);
  expect(service.tokens.list()).toEqual([]);
});

test("another host is refused before any request, unless the organization is said to be for tests", async () => {
  const { code, stderr } = await accept("https://api.example.com", "xaat-none");
  expect([code, stderr]).toEqual([2, expect.stringContaining("--organization-is-for-tests")]);
});
