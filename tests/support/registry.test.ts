import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { npm, packedPackage } from "./packed";
import { startRegistry } from "./registry";

test("npm gets the packed package from a registry, and keeps nothing that it could take for a later run's", async () => {
  await using registry = await startRegistry();
  await using other = await startRegistry();
  const [one, two] = [registry, other].map(({ env }) => new URL(env.npm_config_registry ?? ""));
  expect(one?.pathname).not.toBe(two?.pathname);

  const folder = await mkdtemp(path.join(os.tmpdir(), "registry-"));
  const env = { ...registry.env, npm_config_cache: path.join(folder, "cache") };
  const [{ filename }] = JSON.parse(await npm(["pack", "--json", "pulumi-event-datasets"], folder, env));
  const { file } = await packedPackage();
  expect(await readFile(path.join(folder, filename))).toEqual(await readFile(file));
  expect(await npm(["cache", "ls"], folder, env)).not.toContain("pulumi-event-datasets");
  await rm(folder, { recursive: true });
});
