import { tiesOf } from "../../audit/holders";
import type { EventDatasets, Token } from "../../sdk";
import type { Command } from "../command";
import { connect } from "../connection";
import { readMakers } from "../makers";
import { policyFileOf, policyIn } from "../policy";
import { type Line, say } from "../text";
import { readClaims } from "./claims";
import { describeJudged, judge } from "./verdict";

/** Prints who declares, uses or accepts a token, and whether it can be revoked. */
export const showToken: Command<"tokens show"> = {
  async run(values, io, id) {
    if (!id) throw new Error('the id of a token is missing: see "pulumi-event-datasets tokens show --help"');
    const policy = policyIn(await policyFileOf(values.policy, io.env));
    await using client = connect(io);
    const { claims } = await readClaims(values, io, policy);
    const live = await client.tokens.list();
    const token = live.find((one) => one.id === id);
    const evidence = { live, claims, policy, env: io.env, now: Date.now() };
    if (token) for (const line of describeJudged({ token, verdict: judge(token, evidence) })) io.print(line);
    else {
      io.print(say`${id} is not live: ${client.baseUrl} does not list it`);
      for (const { words } of tiesOf(id, claims)) io.print(say`  - ${words}`);
    }
    for (const { record } of claims.ids.get(id) ?? [])
      for (const old of record.replaced) io.print(say`  it replaced ${old.id}`);
    const dataset = values.who;
    if (dataset) for (const line of await describeWho(client, dataset, token ?? { id })) io.print(say`  ${line}`);
    return token ? 0 : 1;
  },
};

/** Describes who made, changed or deleted a token. */
async function describeWho(client: EventDatasets, dataset: string, token: Partial<Token>): Promise<Line[]> {
  const { notes, describe } = await readMakers(client, dataset, new Date());
  return [...notes, ...describe(token)];
}
