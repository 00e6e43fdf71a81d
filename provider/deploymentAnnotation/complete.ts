import {
  describeDeployment,
  detectSurroundings,
  onlyTrigger,
  onlyTriggerWarning,
  type Per,
  type Surroundings,
  triggerOf,
} from "../deployment";

/** The arguments that are completed from where a deployment runs. */
interface Declared {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: string | undefined;
  readonly url?: string | undefined;
  readonly commit?: string | undefined;
  readonly per?: Per | undefined;
}

/** A deployment's annotation as the lifecycle takes it, but for what no surroundings change. */
export interface Completed {
  readonly title: string;
  readonly description?: string | undefined;
  readonly type: string;
  readonly url?: string | undefined;
  readonly trigger: string;
  /** A warning for the user. */
  readonly warning?: string;
}

/** Where a deployment goes. */
export interface Target {
  readonly project: string;
  readonly stack: string;
  /** Absent where the backend knows no organizations. */
  readonly organization?: string | undefined;
}

/** The surroundings of this process: looked at when needed, since it asks git, and then once. */
export class Runs {
  readonly startedAt: string;
  #found: Surroundings | undefined;

  constructor(startedAt: string) {
    this.startedAt = startedAt;
  }

  /** The declared texts, completed by what the CI system or git says. */
  complete({ commit, per, ...declared }: Declared, { project, stack, organization }: Target): Completed {
    this.#found ??= detectSurroundings(process.env, process.cwd());
    const at = commit ? { ...this.#found, commit } : this.#found;
    const name = [organization, project, stack].filter((part) => part !== undefined).join("/");
    const texts = describeDeployment(at, `${project} to ${stack}`, [`Pulumi stack ${name}`]);
    const trigger = triggerOf(at, per ?? "commit", this.startedAt);
    return {
      title: declared.title ?? texts.title,
      description: declared.description ?? texts.description,
      type: declared.type ?? "deploy",
      url: declared.url ?? texts.url,
      trigger,
      ...(trigger === onlyTrigger ? { warning: onlyTriggerWarning } : {}),
    };
  }
}
