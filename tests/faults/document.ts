import { clientOperations, type Kind } from "./clientOperations";
import { connectionRows } from "./connections";
import { lifecycleOperations } from "./lifecycleOperations";
import { clientCells, lifecycleCells } from "./matrix";
import type { Fault } from "./rows";

const kinds: Readonly<Record<Kind, string>> = {
  create: "create",
  repeatable: "get, list, update",
  delete: "delete",
  query: "query",
};

/** The matrix as Markdown. A test fails if a result differs from its cell. */
export function matrixAsMarkdown(): string {
  const ofConnections = connectionRows.flatMap(({ name, expected }) =>
    Object.values(kinds).map((column) => ({
      fault: name,
      column,
      text: formatEnding(expected.how, expected.requests),
    })),
  );
  const ofClient = clientCells.map(({ operation, expected: { how, requests }, ...fault }) => ({
    fault: nameOf(fault),
    column: kinds[clientOperations[operation].kind],
    text: formatEnding(how, requests),
  }));
  const ofResources = lifecycleCells.map(({ operation, expected, requests, ...fault }) => ({
    fault: nameOf(fault),
    column: operation.name,
    text: formatEnding(expected, requests),
  }));
  const resources = lifecycleOperations.map(({ name }) => name);
  const calls = clientCells.length + connectionRows.length * Object.keys(clientOperations).length;
  return [
    `### Calls of the client (${calls} cells)\n`,
    ...table(Object.values(kinds), [...linesOf(ofConnections), ...linesOf(ofClient)]),
    `\n### Resources (${lifecycleCells.length} cells)\n`,
    ...table(resources, linesOf(ofResources)),
  ].join("\n");
}

const formatEnding = (how: string, requests: number | undefined) =>
  requests === undefined ? how : `${how} ×${requests}`;

const onlyFirst = "first request only: ";
/** A row without a failure can only happen to one request. */
const nameOf = ({ row, once }: Fault) => `${once && row.effect !== "fine" ? onlyFirst : ""}${row.name}`;

interface Line {
  readonly faults: readonly string[];
  readonly cells: Readonly<Record<string, string>>;
}

/** One line for the faults that have the same results everywhere. */
function linesOf(cells: readonly { readonly fault: string; readonly column: string; readonly text: string }[]): Line[] {
  const faults = Map.groupBy(cells, ({ fault }) => fault);
  const lines = [...faults].map(([fault, own]) => ({
    fault,
    isFirst: fault.startsWith(onlyFirst),
    cells: Object.fromEntries(own.map(({ column, text }) => [column, text])),
  }));
  const groups = Map.groupBy(lines, (line) => JSON.stringify([line.isFirst, line.cells]));
  return [...groups.values()].map((group) => ({
    faults: group.map(({ fault }, at) => (at === 0 ? fault : fault.replace(onlyFirst, ""))),
    cells: group[0]?.cells ?? {},
  }));
}

function table(columns: readonly string[], lines: readonly Line[]): string[] {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    row(["Fault", ...columns]),
    row(["---", ...columns.map(() => "---")]),
    ...lines.map(({ faults, cells }) =>
      row([shortenFaults(faults.join("; ")), ...columns.map((name) => cells[name] ?? "–")]),
    ),
  ];
}

/** "status 400, 401" for a run of statuses. */
const shortenFaults = (text: string) =>
  text.replace(/\b(status|redirect) \d{3}(?:; \1 \d{3}(?=;|$))+/g, (run, kind) => run.replaceAll(`; ${kind} `, ", "));
