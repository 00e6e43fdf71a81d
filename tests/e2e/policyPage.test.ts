import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { linkedNpm } from "../support/linkedNpm";
import { layOutPack, writePackStarter } from "../support/policyPack";
import { typePages } from "../support/shellPage";

const files = {
  "Pulumi.yaml": "name: web\nruntime: nodejs\nmain: index.ts\n",
  "index.ts": `import { ApiToken } from "pulumi-event-datasets";\nnew ApiToken("ci", { expiresIn: "200d" });\n`,
  "package.json": JSON.stringify({
    private: true,
    dependencies: { "pulumi-event-datasets": "^1.0.0", "@pulumi/pulumi": "^3.216.0" },
  }),
  "event-datasets.audit.json": JSON.stringify({ version: 1, maxLifetime: "90d" }),
};

test("the page installs the policy pack, and the preview refuses a token with a long lifetime", async () => {
  const tools: string[] = [];
  const replace: Record<string, string> = { "pulumi preview": "pulumi stack init dev && ! pulumi preview" };
  await using typed = await typePages(["docs/policy.md"], {
    env: {
      PULUMI_CONFIG_PASSPHRASE: "policy",
      EVENT_DATASETS_BASE_URL: "http://127.0.0.1:9",
      EVENT_DATASETS_ACCESS_TOKEN: "xaat-local",
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    },
    hooks: "warm host",
    tools,
    npm: await linkedNpm(),
    replace,
    sections: ["The same rules before the deployment"],
    prepare: async (folder) => {
      for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
      // The engine of the tests cannot start packs of the runtime nodejs.
      const pack = path.join(folder, "pack");
      await mkdir(pack);
      tools.push(await writePackStarter(pack));
      replace["node_modules/pulumi-event-datasets/audit/pack"] = await layOutPack(pack);
    },
  });
  expect(typed.result.stdout).toContain("error: preview failed");
});
