import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Registry, startRegistry } from "../support/registry";
import { typePages } from "../support/shellPage";

// A new user's first hour: every line of these pages, typed into an empty folder, with the packages as they are published.

let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
});

test("the first deployment leads from an empty folder to a token and back, and doctor finds no problem", async () => {
  const replace = { "https://api.example.com": "http://127.0.0.1:7380", "xaat-…": "xaat-local" };
  await using typed = await typePages(["docs/guides/gettingStarted.md"], { env: registry.env, replace });
  expect(typed.result.stdout).toMatch(/^xaat-[0-9a-f-]{36}$/m);
  expect(typed.result.stdout).toContain("a query works with the profile extended");
});

test("the README leads from an empty folder to a token", async () => {
  await using typed = await typePages(["README.md"], { env: registry.env, sections: ["First deployment"] });
  expect(typed.result.stdout).toMatch(/^xaat-[0-9a-f-]{36}$/m);
});

test("the page of the emulator starts it with a dataset, and a client reaches it", async () => {
  const replace = {
    "xaat-…": "xaat-local",
    "pulumi up": "npm install pulumi-event-datasets && npx event-datasets doctor",
  };
  const prepare = (folder: string) => writeFile(path.join(folder, "events.ndjson"), '{"status":200}\n');
  await using typed = await typePages(["docs/emulator.md"], { env: registry.env, replace, prepare });
  expect(typed.result.stdout).toContain("the credential may list tokens");
});

test("the preparations of the examples start the emulator and log in", async () => {
  await using typed = await typePages(["docs/examples.md"], { env: registry.env });
  expect(typed.result.stdout).toContain("Logged in");
});
