import type { Profile } from "../../sdk";
import type { Random } from "../fuzz/random";
import type { Form } from "../support/program";

export const commands = ["up", "rotation", "refresh", "destroy"] as const;
export const victims = ["engine", "provider", "service", "Ctrl-C", "Ctrl-C twice"] as const;

export type Command = (typeof commands)[number];
export type Victim = (typeof victims)[number];

/** A named point of an exchange: the request was not carried out yet, its answer is under way, or the answer is there. */
export interface Boundary {
  readonly request:
    | `${"POST" | "GET"} /v2/tokens`
    | "POST /v2/annotations"
    | "POST /v2/datasets"
    | "GET /v2/datasets/*"
    | `DELETE /v2/${"tokens" | "datasets"}/*`;
  readonly moment: "arrived" | "carried out" | "answered";
}

/** Who is killed, while what runs, and when: after this share of the time that it takes, or at a boundary. */
export interface Instant {
  readonly command: Command;
  readonly victim: Victim;
  readonly profile: Profile;
  readonly form: Form;
  readonly at: number | Boundary;
}

export const profiles = ["documented", "extended"] as const satisfies readonly Profile[];

const datasets = ["POST /v2/datasets", "DELETE /v2/datasets/*"] as const;

/**
 * Every point at which the service and the state can differ. Between a mint and a revocation is the arrival of the revocation;
 * answered and not recorded yet is a matter of the engine alone.
 */
const boundariesOf: Readonly<Record<Command, Readonly<Record<Profile, readonly Boundary["request"][]>>>> = {
  up: {
    documented: ["POST /v2/tokens", "POST /v2/annotations"],
    extended: ["POST /v2/tokens", "POST /v2/annotations", "DELETE /v2/tokens/*", ...datasets],
  },
  rotation: { documented: ["POST /v2/tokens"], extended: ["POST /v2/tokens", "DELETE /v2/tokens/*", ...datasets] },
  // A refresh finds all tokens in one list, and asks for one by its id only if the list lacks it.
  refresh: { documented: ["GET /v2/tokens"], extended: ["GET /v2/tokens", "GET /v2/datasets/*"] },
  // To forget a token takes no request.
  destroy: { documented: [], extended: ["DELETE /v2/tokens/*", "DELETE /v2/datasets/*"] },
};

/** Every kind of kill at every named boundary of every command. */
export const namedInstants = (form: Form): readonly Instant[] =>
  profiles.flatMap((profile) =>
    commands.flatMap((command) =>
      boundariesOf[command][profile].flatMap((request) =>
        (["arrived", "carried out", "answered"] as const).flatMap((moment) =>
          victims
            .filter((victim) => moment !== "answered" || victim === "engine")
            .map((victim) => ({ command, victim, profile, form, at: { request, moment } })),
        ),
      ),
    ),
  );

export const randomInstants = (random: Random, count: number, form: Form): Instant[] =>
  Array.from({ length: count }, () => ({
    command: random.pick(commands),
    victim: random.pick(victims),
    profile: random.pick(profiles),
    form,
    at: random.next(),
  }));

/** Whether a kill met what it was to meet: it was not there yet, it was there, or the command had ended. */
export type Blow = "too early" | "in time" | "too late";

export const nameOf = ({ command, victim, profile, form, at }: Instant): string =>
  `${form === "native" ? "native " : ""}${profile} ${command}, ${victim} at ${typeof at === "number" ? `${(at * 100).toFixed(1)} %` : `${at.request} ${at.moment}`}`;
