import { isIP } from "node:net";
import { IPv4, parse as parseAddress } from "ipaddr.js";
import { type ComputedFunctions, compute, type Json, listOf, textOf } from "./define";

/** An address of 4 or 16 bytes; the first `prefix` bits are the network. */
interface Network {
  readonly bytes: readonly number[];
  readonly prefix: number;
}

type Parse = (text: string) => Network | undefined;

/** Parses `10.0.0.1` or `10.0.0.0/8`, or the same in IPv6; undefined for anything else. */
function parseNetwork(text: string, mapped: boolean): Network | undefined {
  const [address = "", suffix = "", ...rest] = text.trim().split("/");
  if (isIP(address) === 0 || address.includes("%") || rest.length > 0 || !/^\d{0,3}$/.test(suffix)) return undefined;
  if (suffix === "" && text.includes("/")) return undefined;
  const parsed = parseAddress(address);
  const bits = parsed.toByteArray().length * 8;
  const prefix = suffix === "" ? bits : Number(suffix);
  if (prefix > bits) return undefined;
  return mapped && parsed instanceof IPv4
    ? { bytes: parsed.toIPv4MappedAddress().toByteArray(), prefix: prefix + 96 }
    : { bytes: parsed.toByteArray(), prefix };
}

const parseV4: Parse = (text) => {
  const network = parseNetwork(text, false);
  return network?.bytes.length === 4 ? network : undefined;
};

/** An IPv6 address; an IPv4 address is mapped. */
const parseV6: Parse = (text) => parseNetwork(text, true);

/** The address without the bits beyond a prefix. */
const mask = ({ bytes }: Network, prefix: number): Buffer =>
  Buffer.from(bytes.map((byte, i) => byte & (0xff00 >> Math.max(0, Math.min(8, prefix - i * 8)))));

/** Compares two networks by the shortest prefix of both and the argument; the sign is the order. */
function compare(a: Network | undefined, b: Network | undefined, prefix = 128): number | undefined {
  if (!a || !b) return undefined;
  const bits = Math.max(0, Math.min(a.prefix, b.prefix, prefix));
  return Buffer.compare(mask(a, bits), mask(b, bits));
}

function isMatch(a: Network | undefined, b: Network | undefined, prefix?: number): boolean | undefined {
  const order = compare(a, b, prefix);
  return order === undefined ? undefined : order === 0;
}

function isInAnyRange(parse: Parse, address: string, ranges: readonly string[]): boolean | undefined {
  const found = ranges.map((range) => isMatch(parse(address), parse(range)));
  return found.includes(true) ? true : found.every((match) => match === undefined) ? undefined : false;
}

/** An address as text, or as a number in network order, without the bits beyond a prefix; and that prefix. */
function masked(value: Json, prefix: number): readonly [address: string, prefix: number] | undefined {
  const isNumber = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff;
  const network = isNumber
    ? { bytes: [24, 16, 8, 0].map((shift) => (value >>> shift) & 255), prefix: 32 }
    : parseV4(typeof value === "string" ? value : "");
  if (!network || prefix < 0 || prefix > 32) return undefined;
  const bits = Math.min(prefix, network.prefix);
  return [mask(network, bits).join("."), bits];
}

/** IPv4 addresses in a text that are not part of a longer number. */
const addressesIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)/g)]
    .map(([found]) => found)
    .filter((ip) => isIP(ip) === 4);

const hasAddress = (text: string, sought: string): boolean =>
  parseV4(sought) !== undefined && addressesIn(text).some((ip) => isMatch(parseV4(ip), parseV4(sought)));

const hasPrefix = (text: string, prefix: string): boolean =>
  addressesIn(text).some((ip) => (prefix.endsWith(".") ? ip.startsWith(prefix) : `${ip}.`.startsWith(`${prefix}.`)));

const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];

/** A function of a text and of texts to try on it, as one list or as separate arguments. */
const anyOf = (test: (text: string, all: readonly string[]) => boolean | undefined) =>
  compute("string, any, any?, any?, any?, any?, any?, any?", "bool", (text: string, ...given: Json[]) => {
    const all = given.filter((value) => value !== undefined);
    return test(
      text,
      all.flatMap((value) => (Array.isArray(value) ? listOf(value).map(textOf) : [textOf(value)])),
    );
  });

/** The functions for one kind of address. */
const functionsFor = (kind: "ipv4" | "ipv6", parse: Parse): ComputedFunctions => ({
  [`${kind}_compare`]: compute("string, string, long?", "long", (a: string, b: string, prefix?: number) =>
    compare(parse(a), parse(b), prefix),
  ),
  [`${kind}_is_match`]: compute("string, string, long?", "bool", (a: string, b: string, prefix?: number) =>
    isMatch(parse(a), parse(b), prefix),
  ),
  [`${kind}_is_in_range`]: compute("string, string", "bool", (address: string, range: string) =>
    isMatch(parse(address), parse(range)),
  ),
  [`${kind}_is_in_any_range`]: anyOf((address, ranges) => isInAnyRange(parse, address, ranges)),
});

const toNumber = (text: string, prefix: number): number | undefined => {
  const network = parseV4(text);
  if (!network || prefix < 0 || prefix > 32) return undefined;
  return mask(network, Math.min(prefix, network.prefix)).readUInt32BE();
};

export const networkFunctions: ComputedFunctions = {
  ...functionsFor("ipv4", parseV4),
  ...functionsFor("ipv6", parseV6),
  parse_ipv4: compute("string", "long", (text: string) => toNumber(text, 32)),
  parse_ipv4_mask: compute("string, long", "long", toNumber),
  format_ipv4: compute("any, long?", "string", (value: Json, prefix = 32) => masked(value, prefix)?.[0] ?? ""),
  format_ipv4_mask: compute(
    "any, long?",
    "string",
    (value: Json, prefix = 32) => masked(value, prefix)?.join("/") ?? "",
  ),
  ipv4_is_private: compute("string", "bool", (address: string) => isInAnyRange(parseV4, address, privateRanges)),
  ipv4_netmask_suffix: compute("string", "long", (text: string) => parseV4(text)?.prefix),
  has_ipv4: compute("string, string", "bool", hasAddress),
  has_any_ipv4: anyOf((text, all) => all.some((sought) => hasAddress(text, sought))),
  has_ipv4_prefix: compute("string, string", "bool", hasPrefix),
  has_any_ipv4_prefix: anyOf((text, all) => all.some((sought) => hasPrefix(text, sought))),
};
