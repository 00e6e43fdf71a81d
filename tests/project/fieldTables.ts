import { expect, test } from "@jest/globals";
import { type Edit, findErrors, type Place } from "./compiler";

// A new field, resource or data function has several places. Each of them that is forgotten is an error of the compiler.

/** All places of a noun's field, the one that declares it first, with the text for a field of this name. */
type Places = (field: string) => readonly Edit[];

const nouns: Readonly<Record<string, Places>> = {
  annotation: (field) => [
    {
      place: ["sdk/resources/annotationFields.ts", "annotationFields"],
      text: `${field}: { response: v.string(), profile: "extended" },`,
    },
    { place: ["provider/annotation/definition.ts", "annotationDefinition", "fields"], text: `${field}: { is: text },` },
    {
      place: ["provider/deploymentAnnotation/definition.ts", "deploymentAnnotationDefinition", "fields"],
      text: `${field}: { is: text },`,
    },
  ],
  token: (field) => [
    {
      place: ["sdk/resources/tokenFields.ts", "tokenFields"],
      text: `${field}: { response: v.string(), profile: "extended" },`,
    },
    {
      place: ["provider/apiToken/definition.ts", "apiTokenDefinition", "fields"],
      text: `${field}: { is: text, replaces: true },`,
    },
    { place: ["audit/differences.ts", "judges"], text: `${field}: judgeText,` },
    { place: ["audit/expected.ts", "declared"], text: `${field}: inputs.${field},` },
  ],
};

/** Members of types that have one more place in each of these files. */
const members: readonly (readonly [place: Place, files: readonly string[]])[] = [
  [["sdk/tokenFilter.ts", "TokenFilter"], ["provider/lookups/getTokens.ts"]],
  [
    ["sdk/queries/request.ts", "AplRequest"],
    ["sdk/queries/request.ts", "provider/lookups/queryApl.ts"],
  ],
];

const probeOf = (kind: string, n: number): string => `${kind}Probe${n}x`;

/** Each place but the first of each noun, to be forgotten. */
const rows = Object.entries(nouns).flatMap(([noun, places]) =>
  places("")
    .slice(1)
    .map(({ place }, n) => ({ noun, forgotten: n + 1, place: place.join(" ") })),
);

/** The errors that name something, or stand where it is declared. */
const errorsAbout = (errors: readonly string[], probe: string) => errors.filter((error) => error.includes(probe));
const filesOf = (errors: readonly string[]) => errors.map((error) => error.slice(0, error.indexOf(":")));

/** No place has this number. */
const nowhere = 1000;

/** A field of each noun that is declared at all places but one, by the number of that place. */
const fieldsWithout = (forgotten: number): readonly Edit[] =>
  Object.entries(nouns).flatMap(([noun, places]) => places(probeOf(noun, forgotten)).filter((_, n) => n !== forgotten));

/** So few that the compiler names each of them. */
const fieldsAtOnce = 5;

/** The files with a place of a field. Each error is in one of them. */
const filesOfFields = fieldsWithout(nowhere).map(({ place: [file] }) => file);

/** By the group of forgotten places that share a compilation, in which each place lacks another field. */
const forgetting = new Map<number, readonly string[]>();
function errorsWithout(forgotten: number): readonly string[] {
  const group = Math.floor(forgotten / fieldsAtOnce);
  const numbers = Array.from({ length: fieldsAtOnce }, (_, n) => group * fieldsAtOnce + n);
  const edits = numbers.filter((n) => n > 0).flatMap(fieldsWithout);
  const errors = forgetting.get(group) ?? findErrors(edits, { files: filesOfFields });
  forgetting.set(group, errors);
  return errors;
}

test("a field that is declared in all places compiles", () => {
  expect(findErrors(fieldsWithout(nowhere))).toEqual([]);
});

test.each(rows)("the compiler reports a new field of the $noun that is missing at $place", ({ noun, forgotten }) => {
  expect(errorsAbout(errorsWithout(forgotten), probeOf(noun, forgotten))).not.toEqual([]);
});

test.each([["type", members]])(
  "the compiler reports a new member of a %s at every place where it is missing",
  (_, rowsOfTypes) => {
    const edits = rowsOfTypes.map(([place], n) => ({ place, text: `readonly ${probeOf("member", n)}?: string;` }));
    const errors = findErrors(edits, { files: rowsOfTypes.flatMap(([, files]) => files) });
    const found = rowsOfTypes.map((_, n) => filesOf(errorsAbout(errors, probeOf("member", n))));
    const missed = rowsOfTypes.map(([, files], n) => files.filter((file) => found[n]?.includes(file)));
    expect(missed).toEqual(rowsOfTypes.map(([, files]) => files));
  },
);

test("the compiler reports an exported resource or data function without a definition", () => {
  const appended = {
    "provider/index.ts": `
        export declare class ResourceProbe { readonly urn: string }
        export declare function functionProbe(): Promise<string>;
      `,
  };
  const errors = findErrors([], { appended, files: ["provider/nouns.ts"] });
  for (const probe of ["ResourceProbe", "functionProbe"])
    expect(filesOf(errorsAbout(errors, probe))).toContain("provider/nouns.ts");
});
