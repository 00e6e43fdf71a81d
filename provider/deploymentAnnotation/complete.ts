import {
  type Description,
  describeDeployment,
  detectSurroundings,
  onlyTrigger,
  onlyTriggerWarning,
  type Per,
  type Surroundings,
  triggerOf,
} from "../deployment";

/** Where a deployment goes. */
export interface Target {
  readonly project: string;
  readonly stack: string;
  /** Absent where the backend knows no organizations. */
  readonly organization?: string | undefined;
}

/** The arguments that decide about the trigger. */
export interface Sources {
  readonly commit?: string | undefined;
  readonly per?: Per | undefined;
}

/** The generated texts of a deployment's annotation, and its trigger. */
export interface Completed {
  readonly texts: Description & { readonly trigger: string };
  /** A warning for the user. */
  readonly warning?: string | undefined;
}

/** The surroundings of this process: looked at when needed, since it asks git, and then once. */
export class Runs {
  readonly startedAt: string;
  #found: Surroundings | undefined;

  constructor(startedAt: string) {
    this.startedAt = startedAt;
  }

  complete({ commit, per }: Sources, { project, stack, organization }: Target): Completed {
    this.#found ??= detectSurroundings(process.env, process.cwd());
    const at = commit ? { ...this.#found, commit } : this.#found;
    const name = [organization, project, stack].filter((part) => part !== undefined).join("/");
    const texts = describeDeployment(at, `${project} to ${stack}`, [`Pulumi stack ${name}`]);
    const trigger = triggerOf(at, per ?? "commit", this.startedAt);
    return { texts: { ...texts, trigger }, warning: trigger === onlyTrigger ? onlyTriggerWarning : undefined };
  }
}

export const defaultType = "deploy";
