// One program, two accounts. A Provider uses only its own arguments and never the environment, so the access token of one
// account cannot reach the other.
import * as pulumi from "@pulumi/pulumi";
import { ApiToken, getTokensOutput, Provider } from "pulumi-event-datasets";

const config = new pulumi.Config();

const accounts = ["staging", "production"].map((account) => {
  const provider = new Provider(account, {
    baseUrl: config.require(`${account}Url`),
    accessToken: config.requireSecret(`${account}Token`),
    profile: "extended", // so that it can revoke tokens, as Axiom can
  });
  const audit = new ApiToken(
    `audit-${account}`,
    { orgCapabilities: { apiTokens: ["read"] }, expiresIn: "90d", rotation: { rotateBefore: "14d" } },
    { provider },
  );
  const { tokens } = getTokensOutput({}, { provider, dependsOn: audit });
  return { account, tokenId: audit.id, names: tokens.apply((live) => live.map((token) => token.name)) };
});

export const tokenIds = Object.fromEntries(accounts.map(({ account, tokenId }) => [account, tokenId]));
export const tokenNames = Object.fromEntries(accounts.map(({ account, names }) => [account, names]));
