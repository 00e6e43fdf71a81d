// Filters the findings by rule and stack. Without it the page shows everything.
"use strict";

const form = /** @type {HTMLFormElement | null} */ (document.querySelector(".filters"));
const status = /** @type {HTMLElement} */ (document.getElementById("shown"));

/** @param {HTMLFormElement} chosen */
function filter(chosen) {
  const choices = new FormData(chosen);
  const rule = choices.get("rule");
  const stack = choices.get("stack");
  let shown = 0;
  let all = 0;
  for (const group of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".rule"))) {
    let left = 0;
    for (const item of /** @type {NodeListOf<HTMLElement>} */ (group.querySelectorAll("li"))) {
      item.hidden = (rule !== "" && group.dataset.rule !== rule) || (stack !== "" && item.dataset.stack !== stack);
      if (!item.hidden) left += 1;
      all += 1;
    }
    group.hidden = left === 0;
    shown += left;
  }
  status.textContent = `${shown} of ${all} shown`;
}

if (form) {
  form.hidden = false;
  form.addEventListener("change", () => filter(form));
  form.addEventListener("submit", (event) => event.preventDefault());
  filter(form); // a browser that comes back to the page keeps what was chosen
}
