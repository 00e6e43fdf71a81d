import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { slugify } from "./headings.js";
import { outsideLinks } from "./outsideLinks.js";
import { generated, groups } from "./pages.js";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Where the code is, known at a release: there is no address of it in the tree. */
const repository = process.env.EVENT_DATASETS_REPOSITORY || undefined;

// biome-ignore lint/style/noDefaultExport: VitePress takes the module's default export
export default defineConfig({
  title: "pulumi-event-datasets",
  description: "API tokens, annotations and queries of an event-data service, as Pulumi resources and functions.",
  base: process.env.EVENT_DATASETS_SITE_BASE || "/",
  outDir: process.env.EVENT_DATASETS_SITE || path.join(root, ".cache", "site"),
  cacheDir: path.join(root, ".cache", "vitepress"),
  cleanUrls: false, // any file server can serve it
  head: [["meta", { name: "referrer", content: "no-referrer" }]],
  markdown: { anchor: { slugify }, config: (markdown) => void markdown.use(outsideLinks(repository)) },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: [...groups, generated].map(({ text, pages }) => ({
      text,
      items: pages.map((entry) => ({ text: entry.text, link: entry.page === "index" ? "/" : `/${entry.page}` })),
    })),
    ...(repository ? { socialLinks: [{ icon: "github", link: repository }] } : {}),
  },
});
