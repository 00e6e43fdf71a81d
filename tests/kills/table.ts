import type { Aftermath } from "./aftermath";
import { blows, commands, type Instant, victims } from "./instant";

export type Played = readonly [Instant, Aftermath];

const columns = [
  "Killed",
  "During",
  "Instants",
  ...blows,
  "Left alive, all named",
  "Empty .attrs",
  "Idle hosts",
  "Problems",
];

/** A table of the results, by victim and command. */
export function describeKills(played: readonly Played[]): string {
  const rows = victims.flatMap((victim) =>
    commands.flatMap((command) => {
      const some = played.filter(([instant]) => instant.victim === victim && instant.command === command);
      return some.length > 0 ? [[victim, command, ...count(some)]] : [];
    }),
  );
  const lines = [columns, columns.map(() => "---"), ...rows, ["all", "", ...count(played)]];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const count = (some: readonly Played[]): number[] => {
  const aftermaths = some.map(([, aftermath]) => aftermath);
  return [
    some.length,
    ...blows.map((kind) => aftermaths.filter(({ blow }) => blow === kind).length),
    aftermaths.reduce((sum, { orphans }) => sum + orphans, 0),
    aftermaths.filter(({ emptyAttributes }) => emptyAttributes).length,
    aftermaths.filter(({ idleHost }) => idleHost).length,
    aftermaths.filter(({ problems }) => problems.length > 0).length,
  ];
};
