/**
 * Loaded before all else: the chart library passes the browser's language to Intl while it loads, and Intl refuses some that
 * browsers have, such as "en-US@posix". The page itself is in English.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en" });
}
