import { tiesOf } from "../../audit/holders";
import type { Token } from "../../sdk";
import type { Command } from "../command";
import { connect } from "../connection";
import { count } from "../counts";
import { type Line, say } from "../text";
import { printProgram } from "../tokenProgram";
import { readClaims } from "./claims";
import { selectLive } from "./selection";

/**
 * Prints a program that declares live tokens and adopts them. Declared tokens are left out, because two stacks would manage them,
 * replaced tokens, because their consumers have the secret of the successor, and tokens that no program can declare as they are.
 * @throws Error if no token is left
 */
export const adoptTokens: Command<"tokens adopt"> = {
  async run(values, io) {
    const { print, warn } = io;
    await using client = connect(io);
    const { claims } = await readClaims(values, io);
    if (claims.doubts.length > 0) warn(say`tokens of stacks that could not be read are printed as well`);
    const selected = await selectLive(client, values, io);
    if (selected.length === 0) throw new Error(`no live token on ${client.baseUrl} matches`);
    const wanted = selected.filter((token) => {
      const tie = [...tiesOf(token.id, claims)].find(({ is }) => is !== "used");
      const obstacle = tie?.words ?? describeForm(token);
      if (obstacle) warn(say`left out: ${token.id}: ${obstacle}`);
      return !obstacle;
    });
    if (wanted.length === 0) throw new Error("nothing to adopt: all of these tokens were left out");
    print(printProgram(wanted));
    warn(say`${count(wanted.length, "token")} printed; adopt with "pulumi up", then remove the adopt lines`);
    return 0;
  },
};

/** Describes the fields that no program can declare as they are; undefined: none. */
const describeForm = ({ odd }: Token): Line | undefined =>
  odd && say`some of its fields cannot be read, so no program can declare them: ${Object.keys(odd).join(", ")}`;
