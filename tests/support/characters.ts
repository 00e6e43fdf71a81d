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
