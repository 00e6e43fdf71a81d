import { capabilitiesInWords } from "../../audit/capabilities";
import type { Row, Token } from "../../sdk";
import { tokenExpiryTime } from "../../sdk/tokenFilter";
import type { Command } from "../command";
import { connect } from "../connection";
import { linesOfRows } from "../rows";
import { reportJson } from "../text";
import { selectLive } from "./selection";

/** Prints live tokens, ordered by expiry. Tokens that never expire, or whose expiry cannot be read, are last. */
export const listTokens: Command<"tokens list"> = {
  async run(values, io) {
    const { output: format } = values;
    await using client = connect(io);
    const live = (await selectLive(client, values, io)).sort((a, b) => expiryOrder(a) - expiryOrder(b));
    if (format === "json") io.print(reportJson(live, 2));
    else for (const line of linesOfRows(live.map(summarize), format, io, ["id", "expires"])) io.print(line);
    return 0;
  },
};

/** Far away, but finite, so that it can be subtracted. */
const expiryOrder = (token: Token): number => Math.min(tokenExpiryTime(token) ?? farAway, farAway);
const farAway = Number.MAX_SAFE_INTEGER;

const summarize = (token: Token): Row => ({
  expires: tokenExpiryTime(token) === Number.POSITIVE_INFINITY ? "never" : (token.expiresAt ?? "unreadable"),
  name: token.name,
  id: token.id,
  capabilities: capabilitiesInWords(token).join(", "),
  description: token.description ?? "",
});
