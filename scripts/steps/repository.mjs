// @ts-check

/**
 * Where a release lives, all from one setting, EVENT_DATASETS_REPOSITORY.
 * @typedef {object} Repository
 * @property {string} url `https://HOST/OWNER/NAME`
 * @property {string} owner the author of the package, and the publisher in the schema
 * @property {string} goModule the path of the Go SDK's module: a folder of the repository
 * @property {string | undefined} pluginServer the address that an engine downloads the plugin from; EVENT_DATASETS_PLUGIN_DOWNLOAD_URL
 *   overrides the address of the releases, which is known for github.com only
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} version
 * @returns {Repository}
 * @throws Error for an address of another form, or a tag that is not the version's
 */
export function readRepository(env, version) {
  const text = env.EVENT_DATASETS_REPOSITORY ?? "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRepository =
    url?.protocol === "https:" &&
    /^\/[\w.-]+\/[\w.-]+$/.test(url.pathname) &&
    url.search === "" &&
    url.hash === "" &&
    url.username === "";
  if (!isRepository)
    throw new Error("EVENT_DATASETS_REPOSITORY must be the https address of the repository: https://HOST/OWNER/NAME");

  const tag = env.GITHUB_REF_NAME;
  if (tag !== undefined && tag !== `v${version}`)
    throw new Error(`the tag ${tag} is not v and the version of package.json, ${version}`);

  const releases = url.host === "github.com" ? `github://api.github.com${url.pathname}` : undefined;
  const major = Number.parseInt(version, 10);
  return {
    url: text,
    owner: url.pathname.split("/")[1] ?? "",
    goModule: `${url.host}${url.pathname}/sdk/go${major > 1 ? `/v${major}` : ""}`,
    pluginServer: env.EVENT_DATASETS_PLUGIN_DOWNLOAD_URL || releases,
  };
}
