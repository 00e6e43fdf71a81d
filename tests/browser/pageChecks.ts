import type { Page } from "./browser";

/** Elements that extend beyond the right edge of the window, where the page has to be scrolled sideways. */
export const overflowOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll("body *")].filter(
      (e) => e.getBoundingClientRect().right > clientWidth + 1,
    );
    return [`${scrollWidth} > ${clientWidth}`, ...wide.map((element) => element.outerHTML.slice(0, 100))];
  });

/** Elements whose content is wider than they are, but for those without text and those for screen readers only. */
export const clippedOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isClipped = (element: HTMLElement) => {
      const { scrollWidth, clientWidth } = element;
      if (scrollWidth <= clientWidth + 1 || !element.textContent.trim() || !element.checkVisibility()) return false;
      const { display, clip } = getComputedStyle(element);
      return display !== "inline" && clip === "auto";
    };
    return [...document.querySelectorAll<HTMLElement>("body *")]
      .filter((element) => element instanceof HTMLElement && isClipped(element))
      .map((element) => `${element.scrollWidth} > ${element.clientWidth}: ${element.outerHTML.slice(0, 100)}`);
  });

/** Controls, pictures and regions that a screen reader could not name. */
export const unnamedOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      "a, button, input, select, textarea, summary, svg[role], th",
    );
    const nameOf = (element: HTMLElement) =>
      element.getAttribute("aria-label") ||
      (element.getAttribute("aria-labelledby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? "")
        .join("") ||
      (element as HTMLInputElement).labels?.[0]?.textContent ||
      element.textContent;
    return [...controls]
      .filter((element) => !nameOf(element)?.trim())
      .map((element) => element.outerHTML.slice(0, 100));
  });

/**
 * Texts with less contrast than WCAG 2 AA requires: 4.5, and 3 for large texts. The background of a text is the nearest one
 * of its ancestors.
 */
export const contrastsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    if (!canvas) throw new Error("the browser has no canvas");
    /** One answer a question: a page has thousands of texts in a dozen colours. */
    const remember = <Key, Value>(known: Map<Key, Value>, key: Key, find: () => Value): Value => {
      const value = known.get(key) ?? find();
      known.set(key, value);
      return value;
    };
    const painted = new Map<string, number[]>();
    const backdrops = new Map<Element, number[]>();
    /** Whatever notation a computed colour has, as painted over a backdrop. */
    const paint = (colour: string, over: readonly number[]): number[] =>
      remember(painted, `${colour} over ${over}`, () => paintAnew(colour, over));
    const paintAnew = (colour: string, over: readonly number[]): number[] => {
      canvas.fillStyle = `rgb(${over.join(" ")})`;
      canvas.fillRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    };
    const luminance = (colour: readonly number[]) => {
      const [r = 0, g = 0, b = 0] = colour.map((c) =>
        c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element: Element | null): number[] => {
      if (!element) return paint("Canvas", [255, 255, 255]);
      return remember(backdrops, element, () =>
        paint(getComputedStyle(element).backgroundColor, behind(element.parentElement)),
      );
    };
    const poor: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const element = node.parentElement;
      if (
        !element ||
        !node.textContent?.trim() ||
        !element.checkVisibility() ||
        element.closest("option, script, style")
      )
        continue;
      const style = getComputedStyle(element);
      const under = behind(element);
      const colour = paint(element instanceof SVGElement ? style.fill : style.color, under);
      const [light = 0, dark = 0] = [luminance(colour), luminance(under)].sort((a, b) => b - a);
      const ratio = (light + 0.05) / (dark + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (isLarge ? 3 : 4.5)) poor.push(`${ratio.toFixed(2)}: ${node.textContent.trim().slice(0, 60)}`);
    }
    return poor;
  });
