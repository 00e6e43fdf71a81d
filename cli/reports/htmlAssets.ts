/** The look of the page: light and dark, a phone, and paper. */
export const htmlStyle = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1b1f24, #e6e8eb);
  --quiet: light-dark(#57606a, #a3abb5);
  --page: light-dark(#ffffff, #14171b);
  --card: light-dark(#f6f8fa, #1f2429);
  --line: light-dark(#d0d7de, #3a424b);
  --error: light-dark(#b3261e, #ff8a80);
  --warning: light-dark(#8a5a00, #f2c14e);
  --note: light-dark(#57606a, #a3abb5);
  --fine: light-dark(#1a7f37, #5fd07f);
  --link: light-dark(#0550ae, #7fb6ff);
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; color: var(--text); background: var(--page);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
header { border-left: .4rem solid var(--fine); padding: .25rem 1rem; background: var(--card); }
header.failed { border-color: var(--error); }
header h1 { font-size: 1.3rem; margin: .25rem 0; }
header p { margin: .25rem 0; color: var(--quiet); }
header .verdict { font-size: 1.6rem; font-weight: 700; color: var(--fine); }
header.failed .verdict { color: var(--error); }
h2 { font-size: 1.15rem; margin: 1.75rem 0 .5rem; }
figure { margin: 0; }
svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--quiet); font: 13px system-ui, sans-serif; }
svg line { stroke: var(--line); stroke-width: 1; }
svg .mark { stroke-dasharray: 3 3; stroke: var(--quiet); }
svg .expire { fill: var(--error); }
svg .rotate { fill: var(--link); }
figcaption { color: var(--quiet); font-size: .9rem; }
.key::before { content: ""; display: inline-block; width: .7rem; height: .7rem; margin: 0 .3rem 0 .8rem; background: var(--error); }
.key.rotate::before { background: var(--link); }
.filters { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
.filters[hidden] { display: none; }
.filters label { flex: 1 1 14rem; }
select { font: inherit; width: 100%; padding: .4rem; color: var(--text); background: var(--page); border: 1px solid var(--line); border-radius: .25rem; }
.findings { list-style: none; margin: 0; padding: 0; }
.findings li { border: 1px solid var(--line); border-left: .3rem solid var(--note); border-radius: .25rem; background: var(--card); padding: .5rem .75rem; margin: .5rem 0; }
.findings li[hidden] { display: none; }
.findings .error { border-left-color: var(--error); }
.findings .warning { border-left-color: var(--warning); }
.findings p { margin: 0; }
.severity { font-weight: 700; text-transform: uppercase; font-size: .8rem; color: var(--note); }
.error .severity { color: var(--error); }
.warning .severity { color: var(--warning); }
.message { margin: .25rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 .75rem; margin: .25rem 0 0; font-size: .9rem; }
dt { color: var(--quiet); }
dd { margin: 0; }
.advice { display: block; font-size: 1rem; }
.advice dt { font-weight: 700; color: var(--text); margin-top: .75rem; scroll-margin-top: 1rem; }
@media (max-width: 30rem) { body { padding: .5rem; } svg text { font-size: 20px; } .findings dl { grid-template-columns: 1fr; } .findings dt { margin-top: .25rem; } }
@media print { .filters, .skip { display: none; } body { max-width: none; } .findings li { break-inside: avoid; } }
`;

/** Filters by rule and stack. Without it the page shows everything. */
export const htmlScript = `
"use strict";
const form = document.querySelector(".filters");
const items = [...document.querySelectorAll(".findings > li")];
const shown = document.getElementById("shown");
function filter() {
  const { rule, stack } = form.elements;
  let count = 0;
  for (const item of items) {
    const fits = (!rule.value || item.dataset.rule === rule.value) && (!stack.value || item.dataset.stack === stack.value);
    item.hidden = !fits;
    if (fits) count += 1;
  }
  shown.textContent = count + " of " + items.length + " shown";
}
if (form) {
  form.hidden = false;
  form.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();
}
`;
