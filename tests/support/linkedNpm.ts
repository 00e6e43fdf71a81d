import path from "node:path";
import { packedInstallation } from "./installation";

/**
 * A shell function that types `npm install` of a page in a fraction of a second: it links packages of the test run's one
 * installation. Other commands of npm are npm's own. `tests/e2e/quickStart` types a new user's first installation for real.
 */
export async function linkedNpm(): Promise<string> {
  const script = path.join(__dirname, "linkPackages.mts");
  return `npm() {
  if [ "$1" = install ]; then node '${script}' '${await packedInstallation()}' "$@"; else command npm "$@"; fi
}
`;
}
