import { computed, defineComponent, h, onBeforeUnmount, ref } from "vue";

/** A line of an asciicast v2 after its header: seconds since the start, the kind, and the text that appears. */
type CastEvent = readonly [seconds: number, kind: string, text: string];

/** Seconds: a longer pause of the recording is shortened to it. */
const longestPause = 3;

/** Plays the recording of a terminal. Before that, and without a script, it shows the whole session. */
export const Recording = defineComponent({
  props: { label: { type: String, required: true }, cast: { type: String, required: true } },
  setup({ label, cast }) {
    const events = cast
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => JSON.parse(line) as CastEvent);
    const shown = ref(events.length);
    const isPlaying = ref(false);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const text = computed(() =>
      events
        .slice(0, shown.value)
        .map(([, , piece]) => piece.replaceAll("\r\n", "\n"))
        .join(""),
    );

    const stop = () => {
      clearTimeout(timer);
      isPlaying.value = false;
      shown.value = events.length;
    };
    const step = () => {
      const [at = 0] = events[shown.value - 1] ?? [];
      const next = events[shown.value];
      if (!next) return stop();
      timer = setTimeout(
        () => {
          shown.value += 1;
          step();
        },
        Math.min(next[0] - at, longestPause) * 1_000,
      );
    };
    const play = () => {
      isPlaying.value = true;
      shown.value = 0;
      step();
    };
    onBeforeUnmount(() => clearTimeout(timer));

    return () =>
      h("figure", { class: "recording" }, [
        h("pre", { tabindex: 0, role: "log", "aria-label": label }, text.value),
        h("figcaption", [
          h("button", { type: "button", onClick: isPlaying.value ? stop : play }, isPlaying.value ? "Stop" : "Play"),
          ` ${label}`,
        ]),
      ]);
  },
});
