import { element, fill, labelControl } from "./dom";
import { Refusal, reasonOf, Session } from "./session";

/** Asks for the root token until the emulator accepts it. */
export function login(parent: Element, notice: string, done: (session: Session) => Promise<void>): void {
  // Not a password field, and no completion: the browser must not store the token.
  const input = element("input", {
    type: "text",
    class: "secret",
    autocomplete: "off",
    autocapitalize: "off",
    autocorrect: "off",
    spellcheck: "false",
    required: true,
    "aria-describedby": "token-help",
  });
  const problem = element("p", { role: "alert", class: "problem" }, notice);
  const form = element(
    "form",
    { class: "login" },
    element("h1", {}, "Event datasets emulator"),
    element(
      "p",
      { id: "token-help" },
      "The root token may do everything. The emulator printed it at startup, unless you chose one yourself. This page keeps it in memory only.",
    ),
    labelControl("Root token", input),
    element("button", { type: "submit" }, "Sign in"),
    problem,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const token = input.value.trim();
    input.value = "";
    fill(problem);
    try {
      await done(new Session(token));
    } catch (failure) {
      fill(problem, problemOf(failure));
      input.focus();
    }
  });
  fill(parent, element("main", {}, form));
  input.focus();
}

function problemOf(failure: unknown): string {
  if (!(failure instanceof Refusal)) return reasonOf(failure);
  if (failure.status === 401) return "This is not a token of this emulator.";
  if (failure.status === 403) return "This token is valid, but it is not the root token.";
  return `The emulator refused this: ${failure.message}`;
}
