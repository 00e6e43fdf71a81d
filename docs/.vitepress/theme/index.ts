// Without the theme's fonts: the reader's own are there already, and nothing has to be loaded.
import theme from "vitepress/theme-without-fonts";
import { followLanguage } from "./language.js";
import "./style.css";

// biome-ignore lint/style/noDefaultExport: VitePress takes the module's default export
export default {
  ...theme,
  enhanceApp: ({ router }: Parameters<NonNullable<typeof theme.enhanceApp>>[0]) => followLanguage(router),
};
