/** The sealing libraries. They are optional peers, and load at the first use. */

type Age = typeof import("age-encryption");
type Sodium = typeof import("libsodium-wrappers");

export const loadAge = (): Promise<Age> => load("age-encryption", "age keys", () => import("age-encryption"));

export const loadSodium = (): Promise<Sodium> =>
  load("libsodium-wrappers", "sealed boxes", async () => {
    const { default: sodium } = await import("libsodium-wrappers");
    await sodium.ready;
    return sodium;
  });

/** @throws Error that names the package to install */
async function load<Library>(name: string, purpose: string, importLibrary: () => Promise<Library>): Promise<Library> {
  try {
    return await importLibrary();
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    const absent = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
    const found = absent ? "is not installed" : `cannot be loaded (${code ?? "of another version or build"})`;
    throw new Error(`${purpose} need the package ${name}, which ${found}: npm install ${name}`);
  }
}
