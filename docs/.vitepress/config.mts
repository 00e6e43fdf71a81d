import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { slugify } from "./headings.js";
import { languageTabs } from "./languageTabs.js";
import { outsideLinks } from "./outsideLinks.js";
import { generated, groups, type Page } from "./pages.js";
import { pictures } from "./pictures.js";
import { search } from "./search.js";
import { tables } from "./tables.js";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** The emulator's, in the page itself: its address would depend on where the site is. */
const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(path.join(root, "emulator/page/icon.svg"), "utf8"))}`;

/** Where the code is, known at a release: there is no address of it in the tree. */
const repository = process.env.EVENT_DATASETS_REPOSITORY || undefined;

const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

const base = process.env.EVENT_DATASETS_SITE_BASE || "/";

const written = groups.flatMap(({ pages }) => pages.map(({ page }) => `${page}.md`));

const itemOf = ({ text, page }: Page) => ({ text, link: `/${page.replace(/(^|\/)index$/, "$1")}` });

// biome-ignore lint/style/noDefaultExport: VitePress takes the module's default export
export default defineConfig({
  title: "pulumi-event-datasets",
  description:
    "Pulumi resources for Axiom: API tokens that rotate, annotations of deployments, query gates and an audit of tokens.",
  base,
  outDir: process.env.EVENT_DATASETS_SITE || path.join(root, ".cache", "site"),
  cacheDir: path.join(root, ".cache", "vitepress"),
  cleanUrls: false, // any file server can serve it
  head: [
    ["meta", { name: "referrer", content: "no-referrer" }],
    ["link", { rel: "icon", href: icon }],
  ],
  transformHead: ({ pageData: { relativePath } }) =>
    written.includes(relativePath)
      ? [["link", { rel: "alternate", type: "text/markdown", href: `${base}${relativePath}` }]]
      : [],
  markdown: {
    anchor: { slugify },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => {
      for (const plugin of [languageTabs, outsideLinks(repository), tables, pictures]) markdown.use(plugin);
    },
  },
  themeConfig: {
    search,
    outline: [2, 3],
    nav: [
      { text: "Quick start", link: "/quickStart" },
      { text: "Reference", link: "/reference/resources" },
      { text: `v${version}`, link: "/reference/settings#changes-changelog" },
    ],
    sidebar: groups.map(({ text, pages }) => ({
      text,
      items: (text === "Reference" ? [...pages, generated] : pages).map(itemOf),
    })),
    ...(repository ? { socialLinks: [{ icon: "github", link: repository }] } : {}),
  },
});
