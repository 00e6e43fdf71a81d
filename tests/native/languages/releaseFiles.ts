import path from "node:path";
import { capture } from "../../../scripts/steps/run.mjs";
import { makeOnce } from "../../support/checkout";
import { CHECKOUT } from "../../support/program";

/** The repository that the files of the release name. */
export const repository = "https://github.com/acme/events";

/** A folder with the files of a release; built once a test run, by the command of the release workflow. */
export const releaseFiles = (): Promise<string> =>
  makeOnce("release", async (folder) => {
    const settings = { EVENT_DATASETS_REPOSITORY: repository, GITHUB_REF_NAME: undefined };
    const env = { ...process.env, ...settings, NODE_OPTIONS: "" };
    await capture("node", [path.join(CHECKOUT, "scripts/releaseFiles.mjs"), folder], { env });
  });
