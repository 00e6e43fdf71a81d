// Filters the tokens by rule and stack. Without it the page shows everything.
"use strict";

const form = /** @type {HTMLFormElement | null} */ (document.querySelector(".filters"));
const status = /** @type {HTMLElement} */ (document.getElementById("shown"));

/** @param {HTMLFormElement} chosen */
function filter(chosen) {
  const choices = new FormData(chosen);
  const [rule, stack] = [String(choices.get("rule")), String(choices.get("stack"))];
  const items = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".findings > li")]);
  for (const item of items) {
    const isOther = rule !== "" && !item.dataset.rules?.split(" ").includes(rule);
    item.hidden = isOther || (stack !== "" && item.dataset.stack !== stack);
  }
  status.textContent = `${items.filter(({ hidden }) => !hidden).length} of ${items.length} shown`;
}

if (form) {
  form.hidden = false;
  form.addEventListener("change", () => filter(form));
  form.addEventListener("submit", (event) => event.preventDefault());
  filter(form); // a browser that comes back to the page keeps what was chosen
}
