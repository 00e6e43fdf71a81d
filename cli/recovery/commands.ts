import { shellCommand, shellWord } from "../shell";
import { type Line, makeVisible, say } from "../text";

/** The location of the diagnosed stack, as the user named it. */
export type Place = {
  readonly stack: string | undefined;
  /** The folder of its project. */
  readonly cwd: string | undefined;
  /** A file with its state. */
  readonly state: string | undefined;
  /** The address of a backend other than that of the environment. */
  readonly backend: string | undefined;
};

/**
 * Builds the commands that a diagnosis recommends. Each names the stack, folder, state and backend of this run; else it would use
 * the stack that is selected in the present folder.
 */
export class Commands {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  /** The same for another stack. */
  forStack(stack: string | undefined): Commands {
    return new Commands({ ...this.#place, stack });
  }

  /** A command of the Pulumi CLI. */
  pulumi(...words: readonly string[]): Line {
    const { stack, cwd } = this.#place;
    return this.#inBackend(shellCommand("pulumi", ...words, ...optionsOf({ stack, cwd })));
  }

  /** A command of ours that reads the diagnosed state: the file if there is one, else the stack. */
  own(...words: readonly string[]): Line {
    const { stack, cwd, state } = this.#place;
    return this.#inBackend(
      shellCommand(
        "npx",
        "pulumi-event-datasets",
        ...words,
        ...optionsOf(state === undefined ? { stack, cwd } : { cwd, state }),
      ),
    );
  }

  /** The audit of all stacks. It reads no file: after an update, a file with the state is outdated. */
  auditAll(): Line {
    const { cwd } = this.#place;
    return this.#inBackend(
      shellCommand("npx", "pulumi-event-datasets", "audit", "--all-stacks", ...optionsOf({ cwd })),
    );
  }

  /** This diagnosis, once more. */
  again(): Line {
    return shellCommand("npx", "pulumi-event-datasets", "recover", ...optionsOf(this.#place));
  }

  #inBackend(command: Line): Line {
    const { backend } = this.#place;
    return backend === undefined ? command : say`PULUMI_BACKEND_URL=${shellWord(backend)} ${command}`;
  }
}

const optionsOf = (options: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));

/** Commands that run only if the previous one succeeded. */
export const chainCommands = (...commands: readonly Line[]): Line => makeVisible(commands.join(" && "));
