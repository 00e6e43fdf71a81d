import { type Cell, clientCells } from "./clientMatrix";
import { clientOperations, type Kind } from "./clientOperations";
import { connectionRows } from "./connectionRows";
import { type LifecycleCell, lifecycleCells } from "./lifecycleMatrix";
import { lifecycleOperations } from "./lifecycleOperations";
import type { Row } from "./rows";

const kinds: Readonly<Record<Kind, string>> = {
  create: "create",
  repeatable: "get, list, update",
  delete: "delete",
  query: "query",
};

/** The matrix as Markdown. A cell fails if its fault ends in another way. */
export function matrixAsMarkdown(): string {
  const resources = lifecycleOperations.map(({ name }) => name);
  return [
    `### Calls of the client (${clientCells.length + connectionRows.length * Object.keys(clientOperations).length} cells)`,
    "",
    ...table(
      ["Fault", ...Object.values(kinds)],
      [
        ...connectionLines(),
        ...grouped(clientCells, (cell) => kinds[clientOperations[cell.operation].kind], clientText),
      ],
    ),
    "",
    `### Resources (${lifecycleCells.length} cells)`,
    "",
    ...table(
      ["Fault", ...resources],
      grouped(lifecycleCells, (cell) => cell.operation.name, resourceText),
    ),
  ].join("\n");
}

const times = (how: string, requests: number | undefined) => (requests === undefined ? how : `${how} ×${requests}`);
const clientText = ({ expected }: Cell) => times(expected.how, expected.requests);
const resourceText = ({ expected, requests }: LifecycleCell) => times(expected, requests);

interface Line {
  readonly faults: readonly string[];
  readonly cells: Readonly<Record<string, string>>;
}

const connectionLines = (): Line[] =>
  merged(
    connectionRows.map(({ name, expected }) => ({
      faults: [name],
      cells: Object.fromEntries(Object.values(kinds).map((kind) => [kind, times(expected.how, expected.requests)])),
    })),
  );

/** One line for all faults that end alike everywhere. */
function grouped<C extends { readonly row: Row; readonly once: boolean }>(
  cells: readonly C[],
  columnOf: (cell: C) => string,
  textOf: (cell: C) => string,
): Line[] {
  const lines = new Map<string, Line>();
  for (const cell of cells) {
    const fault = `${cell.row.name}${cell.once ? " (the first request only)" : ""}`;
    const line = lines.get(fault) ?? { faults: [fault], cells: {} };
    lines.set(fault, { ...line, cells: { ...line.cells, [columnOf(cell)]: textOf(cell) } });
  }
  return merged([...lines.values()]);
}

function merged(lines: readonly Line[]): Line[] {
  const groups = new Map<string, Line>();
  for (const line of lines) {
    const key = JSON.stringify(line.cells);
    groups.set(key, { ...line, faults: [...(groups.get(key)?.faults ?? []), ...line.faults] });
  }
  return [...groups.values()];
}

function table(columns: readonly string[], lines: readonly Line[]): string[] {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const [, ...rest] = columns;
  return [
    row(columns),
    row(columns.map(() => "---")),
    ...lines.map(({ faults, cells }) => row([shortened(faults).join("; "), ...rest.map((name) => cells[name] ?? "–")])),
  ];
}

/** "status 400, 401" for a run of statuses. */
function shortened(faults: readonly string[]): string[] {
  const short: string[] = [];
  for (const fault of faults) {
    const [, kind, number, rest = ""] = /^(status|redirect) (\d{3})( \(.*\))?$/.exec(fault) ?? [];
    const last = short.at(-1);
    const joins =
      kind !== undefined && last?.startsWith(`${kind} `) && last.endsWith(rest) && /^\w+ [\d, ]+( \(|$)/.test(last);
    if (joins && last) short[short.length - 1] = `${last.slice(0, last.length - rest.length)}, ${number}${rest}`;
    else short.push(fault);
  }
  return short;
}
