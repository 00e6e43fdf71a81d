import "./locale";
import { annotationsView } from "./annotations";
import { datasetsView } from "./datasets";
import { element, fill } from "./dom";
import { login } from "./login";
import { queryView } from "./query";
import { requestsView } from "./requests";
import { Refusal, type Session } from "./session";
import { loadState, type State } from "./state";
import { tokensView } from "./tokens";
import type { View } from "./view";

const titles = {
  tokens: "Tokens",
  requests: "Requests",
  datasets: "Datasets",
  annotations: "Annotations",
  query: "Query",
} as const;
type Name = keyof typeof titles;
const names = Object.keys(titles) as Name[];

const updateEveryMs = 2_000;

function start(notice = ""): void {
  login(document.body, notice, async (session) => {
    const state = await loadState(session);
    new Shell(session, state).open();
  });
}

/** The page around the views: header, navigation and status. */
class Shell {
  readonly #session: Session;
  readonly #views: Readonly<Record<Name, View>>;
  readonly #links = names.map((name) => element("a", { href: `#${name}` }, titles[name]));
  readonly #status = element("p", { role: "status", class: "status" });
  readonly #live = element("input", { type: "checkbox", checked: true });
  readonly #main = element("main", { id: "main" });
  readonly #closed = new AbortController();
  #state: State;

  constructor(session: Session, state: State) {
    this.#session = session;
    this.#state = state;
    this.#views = {
      tokens: tokensView(),
      requests: requestsView(),
      datasets: datasetsView(session),
      annotations: annotationsView(session),
      query: queryView(session),
    };
  }

  open(): void {
    const leave = element("button", { type: "button", class: "quiet" }, "Sign out");
    leave.addEventListener("click", () => this.#close(""));
    const skip = element("a", { class: "skip", href: "#main" }, "To the content");
    skip.addEventListener("click", (event) => {
      event.preventDefault();
      this.#main.querySelector<HTMLElement>("h2")?.focus();
    });
    const { profile } = this.#state.objects;
    const header = element(
      "header",
      {},
      element("h1", {}, "Event datasets emulator"),
      element("p", { class: "facts" }, element("code", {}, location.origin), ` · profile ${profile}`),
      element(
        "div",
        { class: "controls" },
        element("label", {}, this.#live, element("span", {}, "Auto-refresh")),
        leave,
      ),
    );
    fill(
      document.body,
      skip,
      header,
      element("nav", { "aria-label": "Views" }, ...this.#links),
      this.#status,
      this.#main,
    );
    addEventListener("hashchange", () => this.#show(true), { signal: this.#closed.signal });
    this.#update();
    this.#show(true);
    void this.#keepUp();
  }

  #show(moveFocus: boolean): void {
    const name = names.find((one) => location.hash === `#${one}`) ?? "tokens";
    for (const [n, link] of this.#links.entries())
      if (names[n] === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    const heading = element("h2", { tabindex: "-1" }, titles[name]);
    fill(this.#main, heading, this.#views[name].content);
    document.title = `${titles[name]} · Event datasets emulator`;
    this.#views[name].open?.();
    if (moveFocus) heading.focus();
  }

  #update(): void {
    for (const view of Object.values(this.#views)) view.update(this.#state);
  }

  async #keepUp(): Promise<void> {
    while (!this.#closed.signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, updateEveryMs));
      if (!this.#live.checked || document.hidden || this.#closed.signal.aborted) continue;
      try {
        const state = await loadState(this.#session, this.#state);
        if (this.#status.textContent) fill(this.#status);
        if (state === this.#state) continue;
        this.#state = state;
        this.#update();
      } catch (failure) {
        if (failure instanceof Refusal && [401, 403].includes(failure.status))
          this.#close("The emulator was restarted with another root token.");
        else fill(this.#status, "The emulator does not respond. This page retries until it does.");
      }
    }
  }

  #close(notice: string): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    start(notice);
  }
}

start();
