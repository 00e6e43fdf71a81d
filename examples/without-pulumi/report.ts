// The typed client alone, in any Node.js program: which tokens end within a month, and which never do?
//   EVENT_DATASETS_BASE_URL=… EVENT_DATASETS_ACCESS_TOKEN=… node report.ts
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
  // Says what was asked, and what the service said; never a credential.
  if (!isApiError(failure)) throw failure;
  console.error(failure.message);
  process.exitCode = failure.outcome === "refused" ? 1 : 2;
} finally {
  await client.close();
}
