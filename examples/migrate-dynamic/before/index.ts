/// <reference types="node" />
// The old program: a dynamic provider written by hand. The secret is in the state in plain text. If the response to a create
// is lost, an unknown token remains.
import * as pulumi from "@pulumi/pulumi";

interface TokenInputs {
  name: string;
  expiresAt: string;
  orgCapabilities: Record<string, string[]>;
}

const provider: pulumi.dynamic.ResourceProvider = {
  async create({ name, expiresAt, orgCapabilities }: TokenInputs) {
    const inputs = { name, expiresAt, orgCapabilities };
    const response = await fetch(`${process.env.EVENT_DATASETS_BASE_URL}/v2/tokens`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${process.env.EVENT_DATASETS_ACCESS_TOKEN}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(inputs),
    });
    if (!response.ok) throw new Error(`the token was not created: ${response.status}`);
    const { id, token } = (await response.json()) as { id: string; token: string };
    return { id, outs: { ...inputs, token } };
  },
};

class HandWrittenToken extends pulumi.dynamic.Resource {
  declare readonly token: pulumi.Output<string>;

  constructor(name: string, inputs: TokenInputs) {
    super(provider, name, { ...inputs, token: undefined });
  }
}

const ci = new HandWrittenToken("ci", {
  name: "ci",
  expiresAt: "2030-01-01T00:00:00Z",
  orgCapabilities: { apiTokens: ["read"] },
});

export const id = ci.id;
export const token = ci.token;
