import { ApiToken, getTokens } from "pulumi-event-datasets";

/** Declares a token for each service that has no token created by hand. */
export async function declareMissingTokens(services) {
  const { tokens } = await getTokens({ expired: false });
  const names = tokens.map(({ name }) => name);
  return services
    .filter((service) => !names.includes(`by hand: ${service}`))
    .map(
      (service) =>
        new ApiToken(service, { datasetCapabilities: { [service]: { ingest: ["create"] } }, expiresIn: "90d" }),
    );
}
