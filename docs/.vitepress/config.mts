import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { slugify } from "./headings.js";
import { outsideLinks } from "./outsideLinks.js";
import { generated, groups } from "./pages.js";
import { pictures } from "./pictures.js";
import { recordings } from "./recordings.js";
import { search } from "./search.js";
import { tables } from "./tables.js";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** The emulator's, in the page itself: its address would depend on where the site is. */
const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(path.join(root, "emulator/page/icon.svg"), "utf8"))}`;

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
  head: [
    ["meta", { name: "referrer", content: "no-referrer" }],
    ["link", { rel: "icon", href: icon }],
  ],
  markdown: {
    anchor: { slugify },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => {
      for (const plugin of [outsideLinks(repository), tables, pictures, recordings(path.join(root, "docs"))])
        markdown.use(plugin);
    },
  },
  themeConfig: {
    search,
    outline: [2, 3],
    sidebar: [...groups, generated].map(({ text, pages }) => ({
      text,
      items: pages.map((entry) => ({ text: entry.text, link: entry.page === "index" ? "/" : `/${entry.page}` })),
    })),
    ...(repository ? { socialLinks: [{ icon: "github", link: repository }] } : {}),
  },
});
