import type { Io } from "./command";
import { type Line, say } from "./text";

const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
/** Most responses arrive sooner; for these, no progress is shown. */
const firstShown = 500;
const interval = 100;

/** Replaces the progress line; undefined without a terminal. */
type Show = Io["progress"];

/**
 * Shows that work is in progress, with the elapsed time.
 * @returns a function that ends it
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

/** Shows that some work is under way. */
export async function withProgress<T>(label: Line, show: Show, work: Promise<T>): Promise<T> {
  const end = startProgress(label, show);
  try {
    return await work;
  } finally {
    end();
  }
}
