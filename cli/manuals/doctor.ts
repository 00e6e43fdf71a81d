import type { Manual } from "../manual";

export const doctor = {
  summary: "check the settings and the connection, and show where each setting came from",
  usage: "",
  text: "Checks the settings, the service, the access token, the clock and the versions of Node.js, Pulumi and this package, for the Pulumi project of this folder. For each setting it shows where it came from; for an access token in the stack config, it also shows where the engine stores and logs it. It lists the tokens, and with the profile extended the annotations; a capability that the access token lacks is a problem only if the program of this project needs it. It sends one query (print 1) over the last minute, which reads no dataset. It changes nothing, and never shows the access token.",
  flags: {},
  examples: [{ what: "check the project in this folder", line: "doctor" }],
  exitCodes: "Exit codes: 0 no problems found, 1 problems found, 2 the service could not be reached.",
} as const satisfies Manual;
