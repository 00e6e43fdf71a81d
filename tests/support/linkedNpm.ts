import path from "node:path";
import { packedInstallation } from "./installation";

/**
 * Shell functions that type `npm install` and `npx` of a page in a fraction of a second: they link packages of the test run's one
 * installation, and start their commands without npm. Other commands of npm are npm's own. `tests/e2e/quickStart` types a new user's
 * first installation, and the commands of its packages, for real.
 */
export async function linkedNpm(): Promise<string> {
  const script = path.join(__dirname, "linkPackages.mts");
  return `npm() {
  if [ "$1" = install ]; then node '${script}' '${await packedInstallation()}' "$@"; else command npm "$@"; fi
}
npx() { PATH="$PWD/node_modules/.bin:$PATH" "$@"; }
`;
}
