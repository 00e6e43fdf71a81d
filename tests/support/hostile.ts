import { expect } from "@jest/globals";
import fc from "fast-check";

/** Code points that stand for half of a character in UTF-16. */
const surrogates = { first: 0xd800, count: 0x800 } as const;
const last = 0x10ffff;

/**
 * Any character: what `unit: "binary"` of fast-check is, with the same choices. That one makes a table of all million
 * characters first, to find the number of a few; it takes a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: last - surrogates.count }).map(
  (at) => String.fromCodePoint(at < surrogates.first ? at : at + surrogates.count),
  (text) => {
    const at = typeof text === "string" && /^\P{Cs}$/u.test(text) ? text.codePointAt(0) : undefined;
    if (at === undefined) throw new Error("not one character");
    return at < surrogates.first ? at : at - surrogates.count;
  },
);

/** Token names with which somebody who may create tokens could attack readers of reports. */
export const hostile = [
  "\u001b[31mred\u001b[0m\u009b2J\u0007\u001b]8;;https://evil.example\u0007click",
  "line\nbreak\r\n::error::boom\n::stop-commands::x\n##[error]boom\n##vso[task.complete]",
  "::set-output name=a::b%0A::error::boom%25",
  "</code></details><script>alert(1)</script><img src=x onerror=alert(1)>",
  "`` ` `code` ``` **bold** [link](https://evil.example) ![](x) @everyone #1 | a | b |\n---\n# head",
  "]]></failure></testcase><!-- & \u0000 \ufffe \ud800",
  "[link](1) {0} \\[ {{x}}",
  "abc\u202egnp.exe\u2066\u200b\u2028\u00ad",
  "xaat-0a1b2c3d-4e5f-6789-abcd-ef0123456789",
  `${" ".repeat(50)}::error::boom ${"x".repeat(3000)}`,
  "漢字🙂\u0301 :: ::error::",
  "",
];

/** Any text, often one of those. */
export const fromService = fc.string({
  unit: fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom(...hostile)),
  maxLength: 4,
});

/** Characters and secrets that must not be in any text that people or CI systems read, wherever it goes. */
export function expectHarmless(text: string, { mayHoldSecrets = false } = {}): void {
  const forbidden = [/[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?!\n)\p{Cc}/u, /##[a-z]*\[/i];
  const secret = mayHoldSecrets ? [] : [/xa[ap]t-[\w-]{8}/];
  const found = [...forbidden, ...secret].filter((one) => one.test(text));
  if (found.length > 0) expect({ text, found }).toEqual({ text, found: [] });
}

/** No line may be a command of a CI system's: GitHub's stand at the start of a line, those of others anywhere. */
export function expectNoCommand(text: string): void {
  const lines = text.split(/[\n\r\u2028\u2029]/).filter((line) => /^\s*::|##[a-z]*\[/i.test(line));
  if (lines.length > 0) expect({ text, lines }).toEqual({ text, lines: [] });
}
