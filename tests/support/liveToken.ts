import { EventDatasets } from "../../sdk";
import { startTemporaryEmulator } from "./deployment";

/** The token's properties. */
export const live = {
  name: "legacy",
  description: "by hand",
  expiresAt: "2030-01-01T00:00:00Z",
  orgCapabilities: { users: ["read"] },
};

/** A service that holds a token which nobody manages. */
export async function withLiveToken() {
  const service = await startTemporaryEmulator({ profile: "extended" });
  const client = new EventDatasets({ baseUrl: service.url, accessToken: service.rootToken, profile: "extended" });
  const { id, token } = await client.tokens.create(live);
  return {
    service,
    client,
    id,
    secret: token,
    async [Symbol.asyncDispose]() {
      await client.close();
      await service[Symbol.asyncDispose]();
    },
  };
}
