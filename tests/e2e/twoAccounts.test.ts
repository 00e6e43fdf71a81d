import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "@jest/globals";
import { type Emulator, environmentOf } from "../../emulator/emulator";
import { cli } from "../support/cli";
import { createDeployment, startTemporaryEmulator } from "../support/deployment";
import { openForTests } from "../support/suite";

// The guide's stack with a Provider for each of two accounts. Commands see one account at a time.

const program = (...more: string[]) => `import { ApiToken, Provider } from "pulumi-event-datasets";
const providerOf = (name: string) => {
  const [baseUrl, accessToken] = process.env[name]!.split(" ");
  return new Provider(name.toLowerCase(), { baseUrl: baseUrl!, accessToken: accessToken!, profile: "extended" });
};
const staging = providerOf("STAGING");
const production = providerOf("PRODUCTION");
const expiresAt = "2099-01-01T00:00:00Z";
new ApiToken("web-staging", { expiresAt }, { provider: staging });
new ApiToken("web-production", { expiresAt }, { provider: production });
${more.join("\n")}
`;

const profile = "extended";
const production = openForTests(() => startTemporaryEmulator({ profile, rootToken: "xaat-root-of-production" }));
const staging = openForTests(() => createDeployment({ program: { "index.ts": program() }, profile }));
beforeAll(() => staging.workspace.up({ env: providers() }));

const addressOf = ({ url, rootToken }: Emulator) => `${url} ${rootToken}`;
const providers = () => ({ STAGING: addressOf(staging.service), PRODUCTION: addressOf(production) });

/** Runs a command with the settings of one account. */
async function run(account: Emulator, ...args: readonly string[]) {
  const { workspace } = staging;
  return cli(args, { cwd: workspace.program, env: workspace.environment(environmentOf(account)) });
}

const accounts = () => [staging.service, production];

async function expectWhole(): Promise<void> {
  for (const account of accounts()) {
    expect(await run(account, "audit", "--all-stacks")).toMatchObject({ code: 0 });
    expect(await run(account, "recover")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("no problems found"),
    });
  }
}

test("a whole stack is whole for each account", expectWhole);

test("a killed create in one account keeps its proof while the other account recovers, and both end whole", async () => {
  const { workspace, service } = staging;
  await workspace.writeFile("index.ts", program('new ApiToken("lost", { expiresAt }, { provider: production });'));
  production.inject({ method: "POST", path: "/v2/tokens", times: 1, action: { kind: "delay", ms: 120_000 } });
  const lost = () => production.tokens.list().find(({ name }) => String(name).startsWith("lost-"));
  const update = await workspace.start(["up", "--yes", "--skip-preview"], { hosts: "engine", env: providers() });
  while (lost() === undefined) await sleep(50);
  const id = String(lost()?.id);
  update.kill("SIGKILL");
  await update.done;
  await workspace.run(["cancel", "--yes"]);

  const there = await run(service, "recover");
  expect(there).toMatchObject({ code: 1, stdout: expect.stringContaining("with the settings of Provider production") });
  expect(there.stdout).not.toContain("--clear-pending-creates");
  expect(there.stdout).not.toContain("it left no");
  const inStaging = await run(service, "audit", "--all-stacks", "--output", "json");
  expect([inStaging.code, inStaging.stdout.includes('"missing"')]).toEqual([0, false]);

  const here = await run(production, "recover");
  expect(here).toMatchObject({ code: 1, stdout: expect.stringContaining(`tokens revoke --id ${id}`) });
  expect(here.stdout).toContain("pulumi refresh --yes --clear-pending-creates");
  expect(await run(production, "tokens", "revoke", "--id", id, "--yes")).toMatchObject({ code: 0 });
  await workspace.run(["refresh", "--yes", "--clear-pending-creates"], { env: providers() });
  await workspace.up({ env: providers() });
  await expectWhole();
});
