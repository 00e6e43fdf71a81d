import type { Router } from "vitepress";
import { nextTick } from "vue";
import { languages } from "../languageTabs.js";

const key = "event-datasets-language";
const isLanguage = (text: string): boolean => (languages as readonly string[]).includes(text);

/** Makes the choice of a language one choice for all tabs and tables of the site, and keeps it for the next visit. */
export function followLanguage(router: Router): void {
  if (typeof document === "undefined") return; // the pages are built without a browser
  let chosen = localStorage.getItem(key) ?? "";
  let isApplying = false;
  const apply = () => {
    isApplying = true;
    document.documentElement.dataset.language = chosen.toLowerCase();
    for (const label of document.querySelectorAll<HTMLLabelElement>(".vp-code-group .tabs label")) {
      const input = label.previousElementSibling as HTMLInputElement | null;
      if (label.textContent?.trim() === chosen && input && !input.checked) input.click();
    }
    isApplying = false;
  };
  document.addEventListener("change", ({ target }) => {
    const text = (target as HTMLElement).nextElementSibling?.textContent?.trim() ?? "";
    if (isApplying || !(target as HTMLElement).matches(".vp-code-group input") || !isLanguage(text)) return;
    chosen = text;
    localStorage.setItem(key, text);
    // The group that the reader looks at stays where it is.
    const before = (target as HTMLElement).getBoundingClientRect().top;
    apply();
    scrollBy(0, (target as HTMLElement).getBoundingClientRect().top - before);
  });
  const before = router.onAfterPageLoad;
  router.onAfterPageLoad = async (to) => {
    await before?.(to);
    await nextTick();
    setTimeout(apply);
  };
}
