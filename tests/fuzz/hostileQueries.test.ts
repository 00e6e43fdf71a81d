import { beforeAll, expect, test } from "@jest/globals";
import { call, events, start } from "../emulator/harness";
import { openForTests } from "../support/suite";
import { firstSeed, type Random, randomOf } from "./random";

const between = (random: Random, low: number, high: number) => low + Math.floor(random.next() * (high - low));

/** A text of up to a megabyte, of few letters. */
const longText = (random: Random) =>
  `strrep(strrep('${random.pick(["a", "ab", "aab", "é", "1,"])}',1024),${between(random, 8, 500)})`;

const pattern = (random: Random): string => {
  const inner = random.pick(["a", "a|ab", "[ab]*", "\\\\w+\\\\s?", ".*", "x+x+", "(a?)"]);
  return `${random.pick(["^", ""])}(${inner})${random.pick(["+", "*", "{1,30}", "{30}"])}${random.pick(["$", "b", "!", "c$"])}`;
};

const list = (random: Random) => `range(1, ${random.pick([2000, 125_001, 1_048_576, 9_223_372_036_854_775_807n])})`;

/** Queries that may take time, memory or a place without bound, by the part of the language that would take it. */
const kinds: Readonly<Record<string, (random: Random) => string>> = {
  patterns: (random) => {
    const [regex, text] = [pattern(random), longText(random)];
    return random.pick([
      `print x = ${text} | redact '${regex}'`,
      `print x = extract('${regex}', 0, ${text})`,
      `print x = find_pair(pack_array(strcat('k:', ${text})), '*', '*a*a*b*${regex.replaceAll(/\W/g, "")}')`,
      `print x = countof_regex('${regex}', ${text}), y = trim_regex('${regex}', ${text})`,
    ]);
  },
  texts: (random) => {
    const [a, b] = [longText(random), longText(random)];
    return random.pick([
      `print indexof(${a}, strcat(${b}, 'b'), ${between(random, -9, 9)}, -1, ${between(random, 1, 9)})`,
      `print strlen(replace_string(${a}, 'a', ${b}))`,
      `print array_length(split(${a}, 'a')), translate('ab', 'c', ${b})`,
      `print x = ${a} | parse-kv x as (k) with (pair_delimiter=',', kv_delimiter='a')`,
    ]);
  },
  lists: (random) =>
    `print ${random.pick([
      `array_length(series_fft(${list(random)})[0])`,
      `series_stats(${list(random)})`,
      `series_fir(${list(random)}, ${list(random)})[3]`,
      `array_split(${list(random)}, ${list(random)})[1]`,
      `array_length(set_union(${list(random)}, ${list(random)}))`,
      `unicode_codepoints_to_string(${list(random)})`,
    ])}`,
  rows: (random) => {
    const rows = `(range x from 1 to ${between(random, 1000, 3_000_000)} step 1 | extend k = ${random.pick(["1", "x % 3"])})`;
    return random.pick([
      `${rows} | join ${rows} on k | count`,
      `${rows} | extend p = prev(x, ${between(random, 0, 99)}) | summarize make_list(p) by k`,
      `${rows} | where tostring(x) has_any (${rows} | project tostring(x)) | count`,
      `${rows} | mv-expand y = ${list(random)} | summarize dcount(x * y)`,
      `${rows} | summarize arg_max(x, *), make_set(x, 9999999), topk(x, 999999) by k`,
    ]);
  },
};

const emulator = openForTests(() => start({ profile: "extended", queryTimeoutMs: 300, queryGraceMs: 50 }));
beforeAll(() => emulator.ingest("web", events));

const send = (apl: string) => call(emulator.url, "POST /v1/datasets/_apl?format=tabular", { body: { apl } });

/** On a busy machine even this takes longer than the limit at times, which says nothing of the query before it. */
async function countEvents(): Promise<unknown> {
  const { body } = await send("['web'] | count");
  return /took longer than/.test(body.message) ? countEvents() : body.tables?.[0]?.columns;
}

test.each(Object.entries(kinds))(
  "10 random hostile queries by %s end with a result or a refusal, and keep nobody waiting",
  async (_, make) => {
    const random = randomOf(firstSeed());
    for (let run = 0; run < 10; run += 1) {
      const apl = make(random);
      const answer = send(apl);
      const health = await call(emulator.url, "GET /health", { token: null });
      const { status, body } = await answer;
      expect({ apl, health: health.status, isKnown: [200, 400, 404, 422].includes(status) }).toEqual({
        apl,
        health: 200,
        isKnown: true,
      });
      // No word of the runtime's or of the database's.
      expect({ apl, message: String(body.message ?? "") }).toEqual({
        apl,
        message: expect.not.stringMatching(
          /internal error|undefined|Maximum call stack|Invalid (array|string) length|TypeError|RangeError|SELECT /,
        ),
      });
      expect(await countEvents()).toEqual([[3]]);
    }
  },
);
