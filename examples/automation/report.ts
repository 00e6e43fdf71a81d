// Lists the tokens that expire within 30 days and the tokens that never expire, with the typed client alone.
import { EventDatasets, isApiError, selectTokens } from "pulumi-event-datasets/sdk";

const client = EventDatasets.fromEnvironment();
try {
  const tokens = await client.tokens.list();
  for (const { name, expiresAt } of selectTokens(tokens, { expiringWithin: "30d" }, new Date())) {
    console.log(`${name} expires at ${expiresAt}`);
  }
  for (const { name } of selectTokens(tokens, { withoutExpiry: true }, new Date()))
    console.log(`${name} never expires`);
} catch (failure) {
  // The message names the call and quotes the service; it contains no secret.
  if (!isApiError(failure)) throw failure;
  console.error(failure.message);
  process.exitCode = failure.outcome === "refused" ? 1 : 2;
} finally {
  await client.close();
}
