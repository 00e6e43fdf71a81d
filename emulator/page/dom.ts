import { showHidden } from "./text";

export type Child = Node | string | undefined;

/** True: the attribute without a value; undefined: none. */
type Attributes = Readonly<Record<string, string | true | undefined>>;

/**
 * Creates an element. A text always becomes a text node with every character visible, because anybody who may create a token or
 * send an event chooses names.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(name, value === true ? "" : value);
  append(made, children);
  return made;
}

/** Replaces all children. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children)
    if (child !== undefined) parent.append(typeof child === "string" ? showHidden(child) : child);
}

/** A control with its label above it. */
export const labelControl = (label: string, control: HTMLElement): HTMLLabelElement =>
  element("label", {}, element("span", {}, label), control);

/** Says what is missing in an empty view, and offers a command that fills it. */
export function emptyState(sentence: string, command: string): HTMLElement {
  const copy = element("button", { type: "button", class: "quiet" }, "Copy");
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(command);
    fill(copy, "Copied");
  });
  return element("span", { class: "empty" }, sentence, element("code", {}, command), copy);
}

/** A command that runs against this emulator. The access token is not shown: the root token stays in memory only. */
export const commandHere = (command: string): string => `EVENT_DATASETS_BASE_URL=${location.origin} ${command}`;

/** A drop-down; the first option is selected. */
export const selectElement = (options: readonly (readonly [value: string, label: string])[]): HTMLSelectElement =>
  element("select", {}, ...options.map(([value, label]) => element("option", { value }, label)));

export interface Column {
  readonly name: string;
  readonly isNumber?: boolean;
}

/** A table whose cells know their column's name, for the narrow layout. */
export function tableElement(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly Child[])[],
): HTMLTableElement {
  const head = columns.map(({ name, isNumber }) =>
    element("th", { scope: "col", role: "columnheader", class: isNumber ? "number" : undefined }, name),
  );
  const body = rows.map((cells) =>
    element(
      "tr",
      { role: "row" },
      ...cells.map((cell, n) =>
        element(
          "td",
          {
            role: "cell",
            "data-column": showHidden(columns[n]?.name ?? ""),
            class: columns[n]?.isNumber ? "number" : undefined,
          },
          cell,
        ),
      ),
    ),
  );
  return element(
    "table",
    // The narrow layout displays the cells as blocks, which removes their implicit roles.
    { role: "table" },
    element("caption", {}, caption),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...head)),
    element("tbody", { role: "rowgroup" }, ...body),
  );
}
