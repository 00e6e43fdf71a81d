// Without the theme's fonts: the reader's own are there already, and nothing has to be loaded.
import theme from "vitepress/theme-without-fonts";
import { Recording } from "./recording";
import "./style.css";

// biome-ignore lint/style/noDefaultExport: VitePress takes the module's default export
export default {
  ...theme,
  enhanceApp({ app }: { readonly app: { component(name: string, component: unknown): unknown } }) {
    app.component("Recording", Recording);
  },
};
