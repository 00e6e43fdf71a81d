import { connectionNote, type Manual } from "../manual";

export const doctor = {
  summary: "say what works, what does not, and where each setting came from",
  usage: ["[options]"],
  text: [
    "Looks at the settings, the service, the credential, the clock and the versions of what takes part, and says of each whether it is as it should be. Sends one list of the tokens, which is documented, and with the profile extended one of the annotations; changes nothing. The credential is never shown.",
  ],
  groups: [
    {
      title: "Options",
      flags: {
        cwd: { value: "folder", names: "folder", help: "the folder of the Pulumi project (default: this one)" },
      },
    },
  ],
  examples: [
    { what: "in the folder of a program that does not connect", line: "doctor" },
    { what: "of another project", line: "doctor --cwd infra" },
  ],
  notes: [connectionNote, "Exit codes: 0 all is well, 1 something is to be mended, 2 the service could not be asked."],
} as const satisfies Manual;
