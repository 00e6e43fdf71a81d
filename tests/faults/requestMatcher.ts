/** Whether a request is the one that a line such as "GET /v2/tokens/*" names; the `*` stands for what is not empty. */
export function requestMatcher(line: string): (method: string, path: string) => boolean {
  const [wanted, pattern = ""] = line.split(" ");
  const [start = "", end] = pattern.split("*");
  return (method, path) =>
    method === wanted &&
    (end === undefined ? path === pattern : path.length > start.length && path.startsWith(start) && path.endsWith(end));
}
