/** A page of the site, by its path below `docs/` without `.md`, or a group of pages. */
export interface Page {
  readonly text: string;
  readonly page: string;
}

export interface Group {
  readonly text: string;
  readonly pages: readonly Page[];
}

/** Every page, in the order of the sidebar: the one list. A page that is missing here fails a test. */
export const groups: readonly Group[] = [
  {
    text: "Start",
    pages: [{ text: "What it is", page: "index" }],
  },
  {
    text: "Guides",
    pages: [{ text: "Compatibility", page: "compatibility" }],
  },
  {
    text: "Command line and CI",
    pages: [
      { text: "Command line", page: "commandLine" },
      { text: "Auditing tokens", page: "audit" },
    ],
  },
  {
    text: "Reference",
    pages: [{ text: "Query language", page: "queryLanguage" }],
  },
  {
    text: "How it works",
    pages: [
      { text: "Who can read this secret?", page: "sealing" },
      { text: "Reliability", page: "reliability" },
    ],
  },
];
