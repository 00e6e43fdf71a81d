import type { Manual } from "../manual";

export const comment = {
  summary: "keep one comment on a pull request up to date",
  usage: ["--file <file> [options]"],
  text: [
    "Posts a text as a comment on the pull request or merge request for which CI runs. The next run updates the same comment. The command changes only comments of its own account. If the file does not exist, the comment says that the audit could not tell, so that no older result remains.",
  ],
  groups: [
    {
      title: "Options",
      flags: {
        file: {
          value: "file",
          names: "file",
          help: 'the text, in Markdown, such as the report of "pulumi-event-datasets audit --output markdown=<file>"',
        },
        key: { value: "name", preset: "audit", help: "distinguishes the comments of several jobs" },
      },
    },
  ],
  examples: [{ what: "post the report of an audit", line: "comment --file audit.md" }],
  notes: [
    "GitHub: needs GITHUB_TOKEN with the permission pull-requests: write; Actions sets the rest. GitLab: needs AUDIT_COMMENT_TOKEN, an access token of the project with the scope api; the pipeline sets the rest.",
    "Exit codes: 0 commented, or no pull request; 2 not commented.",
  ],
} as const satisfies Manual;
