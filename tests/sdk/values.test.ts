import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { quoteForeignText } from "../../sdk/foreignText";
import { canonicalAddress, isLoopback } from "../../values/address";
import { defined } from "../../values/defined";
import { nearestName } from "../../values/nearestName";
import { anyCharacter } from "../support/hostile";

const settings = ["baseUrl", "accessToken", "profile", "requireExpiry", "account"];

test.each([
  ["baseURL", "baseUrl"],
  ["acessToken", "accessToken"],
  ["region", undefined],
  ["", undefined],
  ["x".repeat(10_000), undefined],
])("the name nearest to %.20s is %s", (name, nearest) => {
  expect(nearestName(name, settings)).toBe(nearest);
});

test("defined() drops only undefined members", () => {
  const some: string | undefined = undefined;
  expect(Object.keys(defined({ a: 1, b: some, c: null, d: false }))).toEqual(["a", "c", "d"]);
});

const escapeAsJson = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
const leftOut = "[left out: the text contains the access token]";

describe("foreign text", () => {
  test("becomes one visible line without anything that looks like a secret", () => {
    const text = "line\r\n\u001b[31mtwo\u202e xaat-12";
    expect(quoteForeignText(text, "key-1")).toBe("line [31mtwo [token]");
  });

  test.each<[string, (secret: string) => string]>([
    ["as JSON", (secret) => JSON.stringify(secret)],
    ["as JSON with escapes for what needs none", (secret) => secret.replace(/\W/g, escapeAsJson)],
    ["cut short", (secret) => `${secret.slice(0, 12)}…`],
  ])("is left out if it holds the credential %s", (_, spell) => {
    const secret = 'key/"1+2="&<3>~0a9b8c7d6e5f';
    expect(quoteForeignText(`refused ${spell(secret)} for GET`, secret)).toBe(leftOut);
    expect(quoteForeignText(`refused ${spell(secret.slice(2))} for GET`, "another-key")).toMatch(
      /^refused .* for GET$/,
    );
  });

  test.each([
    ["an end of ab", "abababababXYZ", "an end of ab"],
    ["100%, \\", "key-1", "100%, \\"],
    ["\\u0061".repeat(2 ** 17), "a".repeat(1000), leftOut],
  ])("%.40s with the credential %.20s: %s", (text, credential, expected) => {
    expect(quoteForeignText(text, credential)).toBe(expected);
  });

  test("is cut before its escapes are resolved, and shows no part of a credential there", () => {
    const secret = "0a9b8c7d6e5f4a3b2c1d";
    expect(quoteForeignText(`${" ".repeat(6_000)}words`)).toBe("words");
    expect(quoteForeignText(`${" ".repeat(2 ** 20)}words`)).toBe("");
    for (const spell of [(text: string) => text, (text: string) => text.replace(/./g, escapeAsJson)]) {
      for (let length = 7_000; length < 8_300; length++) {
        const line = quoteForeignText(`${" ".repeat(length)}${spell(secret)}${" ".repeat(2_000)}`, secret);
        expect(["", leftOut]).toContain(line);
      }
    }
  });

  test("never has control characters, invisible characters or half characters, and at most 300 characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 700 }), (text) => {
        const line = quoteForeignText(text);
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(line.length).toBeLessThanOrEqual(300);
      }),
    );
  });
});

test.each([
  ["HTTPS://API.Example.COM:443/", "https://api.example.com"],
  ["https://api.example.com/Base//", "https://api.example.com/Base"],
  ["http://LOCALHOST:80", "http://localhost"],
  ["https://api.example.com:8443/x", "https://api.example.com:8443/x"],
])("the address %s is %s", (text, canonical) => {
  expect(canonicalAddress(text)).toBe(canonical);
});

test.each([
  ...["localhost", "LOCALHOST", "127.0.0.1", "127.8.9.1", "[::1]"].map((host) => [host, true] as const),
  ...["127.0.0.1.example.com", "localhost.example.com", "10.0.0.1", "[::2]"].map((host) => [host, false] as const),
])("whether %s is loopback: %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
