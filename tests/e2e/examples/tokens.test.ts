import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { EventDatasets } from "../../../sdk";
import { findSecret } from "../../support/secrets";
import { findFreePort } from "../../support/service";
import { makeFolder } from "../../support/suite";
import { readTyped, readTypedJson, startExampleService, typeExamples, writeOutputs } from "../pages";
import { buildAge } from "./age";

const type = typeExamples();

const fingerprintOf = (secret: string) => createHash("sha256").update(secret).digest("hex").slice(0, 12);

test("three services get a token each, and gh puts their secrets into their repositories", async () => {
  await using service = await startExampleService();
  const tools = makeFolder();
  // Stands in for GitHub's own command: keeps the secret that it reads.
  const gh = 'cat > "$HOME/../folder/$(basename "$5").secret"; echo "$1 $2 $3 $4"';
  await writeFile(path.join(tools, "gh"), `#!/bin/sh\n${gh}\n`, { mode: 0o755 });
  const options = {
    service,
    tools: [tools],
    // A service that has no token gets nothing: neither a value nor an error stops the others.
    replace: { "in web api jobs": "in web typo api jobs-1 jobs" },
    sections: ["Several services, with the GitHub CLI", "Remove everything"],
    afterwards: writeOutputs,
  };
  await using typed = await type("environments", options, "docs/guides/tokens.md");
  expect(typed.result.stdout.match(/^secret set EVENTS_TOKEN --repo$/gm)).toHaveLength(3);
  expect(typed.result.stderr.match(/^.*: not set$/gm)).toEqual(["typo: not set", "jobs-1: not set"]);
  const names = ["web", "api", "jobs"];
  expect(service.tokens.list().map(({ datasetCapabilities }) => datasetCapabilities)).toEqual(
    expect.arrayContaining(names.map((name) => ({ [`${name}-staging`]: { ingest: ["create"] } }))),
  );
  const { secrets, fingerprints } = await readTypedJson(typed);
  expect(secrets).toEqual({ web: "[secret]", api: "[secret]", jobs: "[secret]" });
  for (const name of names)
    expect(fingerprintOf((await readTyped(typed, `${name}.secret`)).trim())).toBe(fingerprints[name]);
});

test("rotation runs as its README says, and then a leaked token is found and replaced, and another one revoked", async () => {
  await using service = await startExampleService();
  await service.tokens.add([{ id: "0a1b2c", name: "by hand" }]);
  const replace = {
    "https://api.axiom.co": service.url,
    "read -rs EVENT_DATASETS_ACCESS_TOKEN": "EVENT_DATASETS_ACCESS_TOKEN=xaat-local",
    "read -rs leaked": 'leaked="$(pulumi stack output token --show-secrets)"',
    "npx --yes": "npx",
    "--all-stacks\n": "--all-stacks || test $? = 1\n",
    "0a1b2c --who": "0a1b2c --who || test $? = 1", // it is revoked
  };
  const options = { service, replace, afterwards: writeOutputs };
  await using typed = await type("rotation", options, "docs/guides/leakedToken.md");
  // The leaked token and a made-up one are refused alike.
  expect(typed.result.stdout.match(/^401$/gm)).toHaveLength(2);
  expect(typed.result.stdout).toMatch(/^stack organization\/rotation\/\w+\n {2}URN {3}urn:pulumi:/m);
  expect(service.tokens.list()).toMatchObject([{ expiresAt: expect.any(String) }]);
});

test("sealed runs as its README says: an operator opens the printed secret, and a cluster the one in its manifest", async () => {
  const age = await buildAge();
  await using service = await startExampleService();
  const afterwards = `${writeOutputs}pulumi stack output sealed > sealed.txt
age --decrypt --identity cluster.txt < sealed.txt 2> refused.txt || echo "ended with $?"
node -p 'JSON.parse(require("./outputs.json").manifest).data["token.age"]' | age --decrypt --identity cluster.txt > cluster.secret`;
  const options = {
    service,
    tools: [path.join(age.folder, "bin")],
    replace: { "key.txt": "operator.txt" },
    hosts: "engine" as const, // it loads an optional peer, which the example declares
    sections: ["Commands", "Expected output", "Seal the secret for its consumer", "Remove everything"],
    afterwards,
  };
  await using typed = await type("sealed", options, "docs/guides/tokens.md");
  // The README, age and the command line print the same secret.
  const printed = typed.result.stdout.match(/xaat-[0-9a-f-]{36}/g) ?? [];
  const [secret = ""] = printed;
  expect(printed).toEqual(Array(3).fill(secret));
  expect(typed.result.stdout).toMatch(/^ended with 1$/m);
  expect(await readTyped(typed, "refused.txt")).toContain("no identity matched");
  expect(await readTyped(typed, "cluster.secret")).toBe(secret);
  const { manifest, fingerprint } = await readTypedJson(typed);
  expect(fingerprintOf(secret)).toBe(fingerprint);
  expect(JSON.parse(manifest).kind).toBe("ConfigMap");
  expect(await findSecret({ folders: [path.join(typed.folder, "../home")] }, secret)).toEqual([]);
  expect(service.tokens.list()).toHaveLength(1);
});

test("two-accounts runs as its README says, keeps each account's credential to its own address, and leaves no token", async () => {
  const [first, second] = [await findFreePort(), await findFreePort()];
  const replace = { "7380": String(first), "7381": String(second) };
  const afterwards = `${writeOutputs}pulumi refresh --expect-no-changes`;
  await using typed = await type("two-accounts", { replace, afterwards });
  expect(typed.result.stdout).not.toContain("warning");
  const { tokenIds, tokenNames } = await readTypedJson(typed);
  const clients = Object.entries({ staging: first, production: second }).map(([account, port]) => {
    const settings = { baseUrl: `http://127.0.0.1:${port}`, accessToken: `xaat-${account}` };
    return { account, client: new EventDatasets(settings) };
  });
  try {
    for (const { account, client } of clients) {
      const [live] = await client.tokens.list();
      expect(live).toMatchObject({ id: tokenIds[account], expiresAt: expect.any(String) });
      expect(tokenNames).toMatchObject({ [account]: [live?.name] });
    }
    await typed.removeEverything();
    for (const { client } of clients) expect(await client.tokens.list()).toEqual([]);
  } finally {
    for (const { client } of clients) await client.close();
  }
});
