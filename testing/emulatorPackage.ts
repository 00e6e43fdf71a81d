import { version } from "../sdk/version";

const name = "event-datasets-emulator";

/**
 * Loads a module of the emulator: a package of its own, so that no production installation has it.
 * @param user what needs it
 * @throws Error that says how to install it
 */
export async function loadEmulator<T>(user: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (failure) {
    if (!isMissing(failure)) throw failure;
    throw new Error(
      `${user} needs the package ${name}, which is not installed: npm install --save-dev ${name}@${version}`,
    );
  }
}

/** Not a module that the emulator itself lacks. */
const isMissing = (failure: unknown): boolean =>
  failure instanceof Object &&
  "code" in failure &&
  ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(String(failure.code)) &&
  "message" in failure &&
  String(failure.message).includes(`'${name}`);
