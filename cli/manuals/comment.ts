import type { Manual } from "../manual";

export const comment = {
  summary: "keep one comment on a pull request up to date",
  usage: ["--file <file> [options]"],
  text: [
    "Puts a text on the pull request, or the merge request, that CI runs for: as one comment, which is changed the next time. It changes only comments of the account that the token belongs to. If the file does not exist, the comment says that the audit could not tell, so that no older result stays.",
  ],
  groups: [
    {
      title: "Options",
      flags: {
        file: {
          value: "file",
          names: "file",
          help: 'the text, in Markdown, such as the report of "event-datasets audit --output markdown=<file>"',
        },
        key: { value: "name", preset: "audit", help: "tells the comments of several jobs apart" },
      },
    },
  ],
  examples: [{ what: "the report of an audit", line: "comment --file audit.md" }],
  notes: [
    "GitHub: needs GITHUB_TOKEN with the permission pull-requests: write; Actions sets the rest. GitLab: needs AUDIT_COMMENT_TOKEN, an access token of the project with the scope api; the pipeline sets the rest.",
    "Exit codes: 0 commented, or there is no pull request; 2 not commented.",
  ],
} as const satisfies Manual;
