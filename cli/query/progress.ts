const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
/** Most answers come sooner than anybody wants to read that one waits for them. */
const after = 500;
const every = 100;

/**
 * Shows that work is under way, and for how long it has been.
 * @param show puts a text in place of the one before; undefined: nobody is there to see it
 */
export async function withProgress<T>(
  label: string,
  show: ((text: string) => void) | undefined,
  work: Promise<T>,
): Promise<T> {
  if (!show) return await work;
  const started = performance.now();
  let frame = 0;
  const timer = setInterval(() => {
    const passed = performance.now() - started;
    if (passed < after) return;
    show(`${frames[frame++ % frames.length]} ${label} (${Math.floor(passed / 1000)} s)`);
  }, every);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (frame > 0) show("");
  }
}
