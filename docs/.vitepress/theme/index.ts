// Without the theme's fonts: the reader's own are there already, and nothing has to be loaded.
import theme from "vitepress/theme-without-fonts";
import "./style.css";

// biome-ignore lint/style/noDefaultExport: VitePress takes the module's default export
export default theme;
