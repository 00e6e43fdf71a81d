import { parse } from "yaml";

// `npm run generate` writes calls of functions in the other languages from those in the program in YAML.

type Variables = Readonly<Record<string, { readonly "fn::invoke": { readonly arguments?: object } }>>;

const upperFirst = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** @throws Error for an object or a list: their types have other names in each language */
function spell(value: unknown): { readonly python: string; readonly go: string } {
  if (typeof value === "object") throw new Error("an example has an object or a list: write its call by hand");
  const [, resource, output = ""] = /^\$\{(\w+)\.(\w+)\}$/.exec(String(value)) ?? [];
  if (resource) return { python: `${resource}.${snakeCase(output)}`, go: `${resource}.${upperFirst(output)}` };
  const literal = JSON.stringify(value);
  if (typeof value === "boolean") return { python: upperFirst(literal), go: `pulumi.Bool(${literal})` };
  return { python: literal, go: `pulumi.${typeof value === "number" ? "Int" : "String"}(${literal})` };
}

/** On one line, or with a line for each argument, aligned as gofmt does it. */
function layOut(start: string, args: readonly (readonly [key: string, value: string])[], end: string): string {
  const line = `${start}${args.map((words) => words.join("")).join(", ")}${end}`;
  const [limit, indent, width] =
    end === ")" ? [88, "    ", 0] : [100, "\t", Math.max(...args.map(([key]) => key.length))];
  if (line.length <= limit) return line;
  return [start, ...args.map(([key, value]) => `${indent}${key.padEnd(width)}${value},`), end].join("\n");
}

/** The call of a function in each language, from the part of the program in YAML that is about it. */
export function writeCall(name: string, part: string, program: string) {
  const [[variable, call] = [name]] = Object.entries(parse(part) as Variables);
  const args = Object.entries(call?.["fn::invoke"].arguments ?? {});
  const literal = JSON.stringify(Object.fromEntries(args)).replaceAll(/"\$\{(.+?)\}"/g, "$1");
  const python = args.map(([key, value]) => [`${snakeCase(key)}=`, spell(value).python] as const);
  const go = args.map(([key, value]) => [`${upperFirst(key)}: `, spell(value).go] as const);
  // In Go the name of a resource after "Get" is that of its getter.
  const hasGetter = name.startsWith("get") && program.includes(`type: event-datasets:${name.slice(3)}\n`);
  const goName = `eventdatasets.${hasGetter ? name.replace("get", "Lookup") : upperFirst(name)}Output`;
  // Go refuses a variable that nothing uses: its program exports the first output that the one in YAML takes from the result.
  const [, output, path] = new RegExp(`^  (${name}\\.\\S+): \\$\\{${variable}(\\..+)\\}$`, "m").exec(program) ?? [];
  const steps = path?.replaceAll(/\.\w+/g, (step) => `.${upperFirst(step.slice(1))}()`);
  const value = steps?.replaceAll(/\[(\d+)\]/g, ".Index(pulumi.Int($1))");
  return {
    // The linter warns of such a variable in TypeScript, unless it is exported.
    typescript: `${value ? "" : "export "}const ${variable} = eventDatasets.${name}Output(${literal});`,
    python: layOut(`${snakeCase(variable)} = event_datasets.${snakeCase(name)}_output(`, python, ")"),
    go:
      layOut(`${value ? `${variable} :` : "_ "}= ${goName}(ctx, ${goName}Args{`, go, "})") +
      (value ? `\nctx.Export("${output}", ${variable}${value})` : ""),
  };
}
