/**
 * An address in its canonical spelling: host in lower case, no default port, no trailing slash. The same address always gives
 * the same text.
 * @returns the text itself if it is not an address
 */
export function canonicalAddress(text: string): string {
  if (!URL.canParse(text)) return text;
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

/**
 * Whether a host name stands for this machine only: a loopback address, or `localhost` itself. A name that ends in
 * `.localhost` does not count, because a resolver can map it to another machine.
 */
export const isLoopback = (hostname: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname);
