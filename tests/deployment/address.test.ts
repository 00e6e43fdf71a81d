import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { pageOf, webAddress, withoutCredentials } from "../../provider/shared/deployment/address";
import { runsOf } from "../fuzz/random";

test.each([
  ["git@github.com:acme/web.git", "https://github.com/acme/web"],
  ["github.com:acme/web.git", "https://github.com/acme/web"],
  ["ssh://git@git.example.com:2222/acme/web.git", "https://git.example.com/acme/web"],
  ["https://user:secret@github.com/acme/web.git", "https://github.com/acme/web"],
  ["https://secret@github.com/acme/web/", "https://github.com/acme/web"],
  ["https://github.com/acme/web.git?token=secret#secret", "https://github.com/acme/web"],
  ["http://git.example.com:3000/acme/web", "http://git.example.com:3000/acme/web"],
  ["git://git.example.com/acme/web.git", "https://git.example.com/acme/web"],
  ["git@ssh.dev.azure.com:v3/fabrikam/shop/web", "https://ssh.dev.azure.com/v3/fabrikam/shop/web"],
  ["/srv/git/web.git", undefined],
  ["../web.git", undefined],
  ["C:\\src\\web", undefined],
  ["C:/src/web", undefined],
  ["file:///srv/git/web.git", undefined],
  ["", undefined],
  [undefined, undefined],
])("the page of remote %s is %s", (remote, page) => {
  expect(webAddress(remote)).toBe(page);
});

test.each([
  ["https://user:secret@ci.example.com/run/7?id=1", "https://ci.example.com/run/7?id=1"],
  ["https://ci.example.com/run/7", "https://ci.example.com/run/7"],
  ["javascript:alert(1)", undefined],
  ["undefined/run/7", undefined],
  [undefined, undefined],
])("%s is shown as %s", (address, shown) => {
  expect(withoutCredentials(address)).toBe(shown);
});

test.each([
  ["https://github.com/acme/web", "commit/7", "pull/7"],
  ["https://gitlab.example.com/acme/web", "-/commit/7", "-/merge_requests/7"],
  ["https://bitbucket.org/acme/web", "commits/7", "pull-requests/7"],
])("a commit of %s is at %s, and a pull request at %s", (repository, commit, request) => {
  expect(pageOf("commit", repository, "7")).toBe(`${repository}/${commit}`);
  expect(pageOf("pullRequest", repository, "7")).toBe(`${repository}/${request}`);
});

test("on another host no page is guessed", () => {
  expect(pageOf("commit", "https://git.example.com/acme/web", "7")).toBeUndefined();
  expect(pageOf("commit", undefined, "7")).toBeUndefined();
});

test("whatever user name and password an address has, none of it is left", () => {
  const word = fc.stringMatching(/^[A-Za-z0-9!$%&'()*+,;=._~-]{1,30}$/).map((text) => `canary${text}`);
  const scheme = fc.constantFrom("https", "http", "ssh", "git");
  fc.assert(
    fc.property(scheme, word, fc.option(word), fc.boolean(), (protocol, user, password, encoded) => {
      const form = encoded ? encodeURIComponent : (text: string) => text;
      const userInfo = `${form(user)}${password === null ? "" : `:${form(password)}`}`;
      for (const remote of [
        `${protocol}://${userInfo}@github.com/acme/web.git`,
        `${userInfo}@github.com:acme/web.git`,
      ]) {
        for (const shown of [webAddress(remote), withoutCredentials(remote)])
          if (/canary/i.test(shown ?? "")) throw new Error(`${remote} is shown as ${shown}`);
      }
    }),
    { numRuns: runsOf(1_000) },
  );
});
