import type { AuditFolder, FakeCli, FakeStack } from "../support/auditFolder";
import { fakePulumi, stackOf } from "../support/auditFolder";
import { type Behaviour, json, startService } from "../support/service";
import { generatedFrom } from "../support/states";

export const expiresAt = "2999-01-01T00:00:00Z";
export const extended = { EVENT_DATASETS_PROFILE: "extended" };
export const confirmRevocation: Behaviour = (response) => void response.writeHead(204).end();

/** A stack that declares the token 1. */
export const prod = "acme/web/prod";
export const acme = stackOf(prod, "1");

/** A token that no stack declares. */
export const plain = (id: string) => ({ id, name: `by hand ${id}`, expiresAt });

/** A resource of another provider with the id of the token 2. */
export const bridged = {
  urn: "urn:pulumi:prod::web::axiom:index/token:Token::ci",
  custom: true,
  type: "axiom:index/token:Token",
  id: "2",
};

/** A resource in a Terraform state. */
export const axiomToken = (id: string) => ({
  mode: "managed",
  type: "axiom_token",
  name: "ci",
  provider: 'provider["registry.terraform.io/axiomhq/axiom"]',
  instances: [{ attributes: { id, name: "ci", token: "xaat-secret" } }],
});

/** A token that the create of a killed update left behind, and its stack. */
export const name = "ci-0a1b2c3";
export const orphan = { id: "9", name, expiresAt };
export const killed: FakeStack = { name: prod, pending: [{ name, inputs: generatedFrom("ci") }] };

/** Revokes on a service with these live tokens and an answer for each deletion. */
export async function revokeFrom(
  folder: AuditFolder,
  cli: FakeCli,
  live: readonly object[],
  args: readonly string[],
  ...answers: Behaviour[]
) {
  await using service = await startService(json(200, live), json(200, live), ...answers);
  const env = { ...(await fakePulumi(folder, cli)), ...extended };
  const ended = await folder.run(["tokens", "revoke", ...args], service, env);
  return { ...ended, deletes: service.calls.filter((call) => call.startsWith("DELETE")) };
}
