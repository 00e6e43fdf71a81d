import { type Cell, clientCells } from "./clientMatrix";
import { clientOperations, type Kind } from "./clientOperations";
import { connectionRows } from "./connections";
import { type LifecycleCell, lifecycleCells } from "./lifecycleMatrix";
import { lifecycleOperations } from "./lifecycleOperations";
import type { Row } from "./rows";

const kinds: Readonly<Record<Kind, string>> = {
  create: "create",
  repeatable: "get, list, update",
  delete: "delete",
  query: "query",
};

/** The matrix as Markdown. A test fails if a result differs from its cell. */
export function matrixAsMarkdown(): string {
  const resources = lifecycleOperations.map(({ name }) => name);
  return [
    `### Calls of the client (${clientCells.length + connectionRows.length * Object.keys(clientOperations).length} cells)`,
    "",
    ...table(
      ["Fault", ...Object.values(kinds)],
      [
        ...connectionLines(),
        ...groupCells(clientCells, (cell) => kinds[clientOperations[cell.operation].kind], clientText),
      ],
    ),
    "",
    `### Resources (${lifecycleCells.length} cells)`,
    "",
    ...table(
      ["Fault", ...resources],
      groupCells(lifecycleCells, (cell) => cell.operation.name, resourceText),
    ),
  ].join("\n");
}

const formatEnding = (how: string, requests: number | undefined) =>
  requests === undefined ? how : `${how} ×${requests}`;
const clientText = ({ expected }: Cell) => formatEnding(expected.how, expected.requests);
const resourceText = ({ expected, requests }: LifecycleCell) => formatEnding(expected, requests);

interface Line {
  readonly faults: readonly string[];
  /** Only the first request meets these faults. */
  readonly once?: boolean;
  readonly cells: Readonly<Record<string, string>>;
}

const connectionLines = (): Line[] =>
  mergeLines(
    connectionRows.map(({ name, expected }) => ({
      faults: [name],
      cells: Object.fromEntries(
        Object.values(kinds).map((kind) => [kind, formatEnding(expected.how, expected.requests)]),
      ),
    })),
  );

/** Groups the faults that have the same results everywhere. */
function groupCells<C extends { readonly row: Row; readonly once: boolean }>(
  cells: readonly C[],
  columnOf: (cell: C) => string,
  textOf: (cell: C) => string,
): Line[] {
  const lines = new Map<string, Line>();
  for (const cell of cells) {
    // A row without a failure can only happen to one request.
    const once = cell.once && cell.row.effect !== "fine";
    const key = `${once}:${cell.row.name}`;
    const line = lines.get(key) ?? { faults: [cell.row.name], once, cells: {} };
    lines.set(key, { ...line, cells: { ...line.cells, [columnOf(cell)]: textOf(cell) } });
  }
  return mergeLines([...lines.values()]);
}

function mergeLines(lines: readonly Line[]): Line[] {
  const groups = new Map<string, Line>();
  for (const line of lines) {
    const key = JSON.stringify([line.once === true, line.cells]);
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
    ...lines.map(({ faults, once, cells }) =>
      row([
        `${once ? "first request only: " : ""}${shortenFaults(faults).join("; ")}`,
        ...rest.map((name) => cells[name] ?? "–"),
      ]),
    ),
  ];
}

/** "status 400, 401" for a run of statuses. */
function shortenFaults(faults: readonly string[]): string[] {
  const short: string[] = [];
  for (const fault of faults) {
    const [, kind, number] = /^(status|redirect) (\d{3})$/.exec(fault) ?? [];
    const last = short.at(-1);
    const joins = kind !== undefined && last?.startsWith(`${kind} `) && /^\w+ [\d, ]+$/.test(last);
    if (joins) short[short.length - 1] = `${last}, ${number}`;
    else short.push(fault);
  }
  return short;
}
