import { ApiToken, capabilities, getTokens } from "pulumi-event-datasets";

/** A token for each of the services that has none yet that somebody made by hand. */
export async function declareMissingTokens(services) {
  const { tokens } = await getTokens({ expired: false });
  const names = tokens.map(({ name }) => name);
  return services
    .filter((service) => !names.includes(`by hand: ${service}`))
    .map((service) => new ApiToken(service, { ...capabilities.ingest(service), expiresIn: "90d" }));
}
