import type { Io } from "./command";
import { type Line, say } from "./text";

const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
/** Most answers come sooner than anybody wants to read that one waits for them. */
const firstShown = 500;
const interval = 100;

/** Puts a text in place of the one before; undefined: nobody is there to see it. */
type Show = Io["progress"];

/**
 * Shows that work is under way, and for how long it has been.
 * @returns what ends it
 */
export function startProgress(label: Line, show: Show): () => void {
  if (!show) return () => undefined;
  const started = performance.now();
  let frame = 0;
  const timer = setInterval(() => {
    const passed = performance.now() - started;
    if (passed < firstShown) return;
    show(say`${frames[frame++ % frames.length] ?? ""} ${label} (${Math.floor(passed / 1000)} s)`);
  }, interval);
  // It keeps nothing alive.
  timer.unref();
  return () => {
    clearInterval(timer);
    if (frame > 0) show(say``);
  };
}

/** Shows that a piece of work is under way. */
export async function withProgress<T>(label: Line, show: Show, work: Promise<T>): Promise<T> {
  const end = startProgress(label, show);
  try {
    return await work;
  } finally {
    end();
  }
}
