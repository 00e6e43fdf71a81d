import { type ComputedFunctions, compute, isObject, type Json, textOf } from "./define";

const urlPattern =
  /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/(?:([^/?#@:]*)(?::([^/?#@]*))?@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d*))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is;

/** Does not use `URL`, which normalizes its input and refuses many URLs that occur in logs. */
function parseUrl(text: string) {
  const parts = urlPattern.exec(text.trim());
  if (!parts) return undefined;
  const [, scheme, username, password, host, port, path, query, fragment] = parts.map((part) => part ?? "");
  return { scheme, host, port, path, username, password, query: parseQuery(query ?? ""), fragment };
}

const parseQuery = (text: string): { [key: string]: string } => Object.fromEntries(new URLSearchParams(text));

function formatUrl(value: Json): string | undefined {
  if (!isObject(value)) return undefined;
  const parts = Object.fromEntries(Object.entries(value).map(([key, part]) => [key.toLowerCase(), part]));
  const part = (name: string): string => {
    const found = parts[name];
    return found === undefined || found === null ? "" : textOf(found);
  };
  const query = isObject(parts.query)
    ? Object.entries(parts.query)
        .map(([key, item]) => `${encodeURIComponent(key)}=${encodeURIComponent(textOf(item))}`)
        .join("&")
    : part("query");
  const user = part("username") || part("user");
  const password = part("password") && `:${part("password")}`;
  const account = user && `${user}${password}@`;
  const port = part("port") && `:${part("port")}`;
  const path = part("path");
  const host = part("host") && `//${account}${part("host")}${port}`;
  const scheme = part("scheme") && `${part("scheme")}:`;
  const rooted = host && path && !path.startsWith("/") ? `/${path}` : path;
  return `${scheme}${host}${rooted}${query && `?${query}`}${part("fragment") && `#${part("fragment")}`}`;
}

/** Parts of a path of either system, of a file's address or of a whole URL. */
function parsePath(text: string) {
  const [, scheme = "", afterScheme = ""] = /^(?:([a-z][a-z0-9+.-]+):\/\/)?(.*)$/is.exec(text) ?? [];
  const path = scheme === "" ? afterScheme : afterScheme.replace(/[?#].*$/s, "");
  const root = /^[a-z]:/i.exec(path)?.[0] ?? "";
  const end = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  const directory = end < 0 ? "" : path.slice(0, end);
  const [file = "", stream = ""] = path.slice(end + 1).split(":");
  const dot = file.lastIndexOf(".");
  return {
    Scheme: scheme,
    RootPath: root,
    DirectoryPath: directory,
    DirectoryName: directory.split(/[/\\]/).at(-1) ?? "",
    Filename: file,
    Extension: dot > 0 ? file.slice(dot + 1) : "",
    AlternateDataStreamName: stream,
  };
}

export const urlFunctions: ComputedFunctions = {
  parse_url: compute("string", "dynamic", (text: string) => parseUrl(text) as Json | undefined),
  parse_urlquery: compute("string", "dynamic", parseQuery),
  parse_path: compute("string", "dynamic", parsePath),
  format_url: compute("any", "string", formatUrl),
};
