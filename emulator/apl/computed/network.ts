import { isIPv4, isIPv6 } from "node:net";
import { type ComputedFunctions, compute, type Json, listOf, textOf } from "./define";

/** An address as a number of `width` bits; the first `prefix` bits are the network. */
interface Network {
  readonly address: bigint;
  readonly prefix: number;
  readonly width: 32 | 128;
}

/** Parses `10.0.0.1` or `10.0.0.0/8`, or the same in IPv6; undefined for anything else. */
function parseNetwork(text: string): Network | undefined {
  const [address = "", suffix, ...rest] = text.trim().split("/");
  const width = isIPv4(address) ? 32 : isIPv6(address) && !address.includes("%") ? 128 : undefined;
  const prefix = suffix === undefined ? width : /^\d{1,3}$/.test(suffix) ? Number(suffix) : undefined;
  if (width === undefined || prefix === undefined || prefix > width || rest.length > 0) return undefined;
  return { address: width === 32 ? parseV4(address) : parseV6(address), prefix, width };
}

const parseV4 = (text: string): bigint => text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);

function parseV6(text: string): bigint {
  // An IPv4 tail is two groups.
  const tail = /[\d.]+$/.exec(text)?.[0] ?? "";
  const v4 = tail.includes(".") ? parseV4(tail) : undefined;
  const hex = (n: bigint) => n.toString(16);
  const whole = v4 === undefined ? text : `${text.slice(0, -tail.length)}${hex(v4 >> 16n)}:${hex(v4 & 0xffffn)}`;
  const [head = "", rest] = whole.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [left, right] = [groups(head), groups(rest ?? "")];
  const gap = rest === undefined ? 0 : 8 - left.length - right.length;
  const all = [...left, ...new Array<string>(gap).fill("0"), ...right];
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

const parseV4Network = (text: string): Network | undefined => {
  const network = parseNetwork(text);
  return network?.width === 32 ? network : undefined;
};

/** An IPv6 address; an IPv4 address is mapped. */
function parseV6Network(text: string): Network | undefined {
  const network = parseNetwork(text);
  if (network?.width !== 32) return network;
  return { address: 0xffff_0000_0000n + network.address, prefix: network.prefix + 96, width: 128 };
}

/** The address without the bits beyond a prefix. */
const mask = ({ address, width }: Network, prefix: number): bigint =>
  (address >> BigInt(width - prefix)) << BigInt(width - prefix);

/** Compares two networks by the shortest prefix of both and the argument; the sign is the order. */
function compare(a: Network | undefined, b: Network | undefined, prefix?: number): number | undefined {
  if (!a || !b || a.width !== b.width) return undefined;
  const bits = Math.max(0, Math.min(a.prefix, b.prefix, prefix ?? a.width));
  const [left, right] = [mask(a, bits), mask(b, bits)];
  return left < right ? -1 : left > right ? 1 : 0;
}

const isMatch = (a: Network | undefined, b: Network | undefined, prefix?: number): boolean | undefined => {
  const order = compare(a, b, prefix);
  return order === undefined ? undefined : order === 0;
};

type Parse = (text: string) => Network | undefined;

function isInAnyRange(parse: Parse, address: string, ranges: readonly string[]): boolean | undefined {
  const found = ranges.map((range) => isMatch(parse(address), parse(range)));
  return found.includes(true) ? true : found.every((match) => match === undefined) ? undefined : false;
}

/** Ranges as one list or as separate arguments. */
const rangesOf = (first: Json, more: readonly Json[]): readonly string[] =>
  [first, ...more].flatMap((value) => (Array.isArray(value) ? listOf(value).map(textOf) : [textOf(value)]));

const formatV4 = (address: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => String((address >> shift) & 255n)).join(".");

/** An address as text, or as a number in network order. */
function addressOf(value: Json): Network | undefined {
  if (typeof value === "string") return parseV4Network(value);
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > 0xffff_ffff) return undefined;
  return { address: BigInt(value), prefix: 32, width: 32 };
}

/** IPv4 addresses in a text that are not part of a longer number. */
const addressesIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)/g)]
    .map(([found]) => found)
    .filter((ip) => isIPv4(ip));

const hasAddress = (text: string, sought: string): boolean =>
  parseV4Network(sought) !== undefined &&
  addressesIn(text).some((ip) => isMatch(parseV4Network(ip), parseV4Network(sought)));

const hasPrefix = (text: string, prefix: string): boolean =>
  addressesIn(text).some((ip) => (prefix.endsWith(".") ? ip.startsWith(prefix) : `${ip}.`.startsWith(`${prefix}.`)));

const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];

const anyOf = (parse: Parse) =>
  compute("string, any, any?, any?, any?, any?, any?, any?", "bool", (address: string, first: Json, ...more: Json[]) =>
    isInAnyRange(
      parse,
      address,
      rangesOf(
        first,
        more.filter((range) => range !== undefined),
      ),
    ),
  );

const hasAnyOf = (test: (text: string, sought: string) => boolean) =>
  compute("string, any, any?, any?, any?, any?, any?, any?", "bool", (text: string, first: Json, ...more: Json[]) =>
    rangesOf(
      first,
      more.filter((sought) => sought !== undefined),
    ).some((sought) => test(text, sought)),
  );

const inRange = (parse: Parse) =>
  compute("string, string", "bool", (address: string, range: string) => isMatch(parse(address), parse(range)));

const compareWith = (parse: Parse) =>
  compute("string, string, long?", "long", (a: string, b: string, prefix?: number) =>
    compare(parse(a), parse(b), prefix),
  );

const matchWith = (parse: Parse) =>
  compute("string, string, long?", "bool", (a: string, b: string, prefix?: number) =>
    isMatch(parse(a), parse(b), prefix),
  );

export const networkFunctions: ComputedFunctions = {
  parse_ipv4: compute("string", "long", (text: string) => {
    const network = parseV4Network(text);
    return network && mask(network, network.prefix);
  }),
  parse_ipv4_mask: compute("string, long", "long", (text: string, prefix: number) => {
    const network = parseV4Network(text);
    return network && prefix >= 0 && prefix <= 32 ? mask(network, Math.min(prefix, network.prefix)) : undefined;
  }),
  format_ipv4: compute("any, long?", "string", (value: Json, prefix = 32) => {
    const network = addressOf(value);
    return network && prefix >= 0 && prefix <= 32 ? formatV4(mask(network, Math.min(prefix, network.prefix))) : "";
  }),
  format_ipv4_mask: compute("any, long?", "string", (value: Json, prefix = 32) => {
    const network = addressOf(value);
    if (!network || prefix < 0 || prefix > 32) return "";
    const bits = Math.min(prefix, network.prefix);
    return `${formatV4(mask(network, bits))}/${bits}`;
  }),
  ipv4_compare: compareWith(parseV4Network),
  ipv6_compare: compareWith(parseV6Network),
  ipv4_is_match: matchWith(parseV4Network),
  ipv6_is_match: matchWith(parseV6Network),
  ipv4_is_in_range: inRange(parseV4Network),
  ipv6_is_in_range: inRange(parseV6Network),
  ipv4_is_in_any_range: anyOf(parseV4Network),
  ipv6_is_in_any_range: anyOf(parseV6Network),
  ipv4_is_private: compute("string", "bool", (address: string) => isInAnyRange(parseV4Network, address, privateRanges)),
  ipv4_netmask_suffix: compute("string", "long", (text: string) => parseV4Network(text)?.prefix),
  has_ipv4: compute("string, string", "bool", hasAddress),
  has_any_ipv4: hasAnyOf(hasAddress),
  has_ipv4_prefix: compute("string, string", "bool", hasPrefix),
  has_any_ipv4_prefix: hasAnyOf(hasPrefix),
};
