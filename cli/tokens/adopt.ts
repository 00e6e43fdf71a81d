import type { Io, Values } from "../command";
import { connect } from "../connection";
import { count } from "../reports/text";
import { printProgram } from "../tokenProgram";
import { selectLive } from "./selection";

/**
 * Prints the program that declares live tokens and adopts them.
 * @throws Error if there is none
 */
export async function adoptTokens(values: Values, io: Io): Promise<void> {
  const { print, warn } = io;
  await using client = connect(io);
  const wanted = await selectLive(client, values, io);
  if (wanted.length === 0) throw new Error(`no live token on ${client.baseUrl} fits`);
  print(printProgram(wanted));
  warn(`${count(wanted.length, "token")} printed; adopt with "pulumi up", then remove the adopt lines`);
}
