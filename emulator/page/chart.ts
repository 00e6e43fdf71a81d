import uPlot from "uplot";
import { element, fill } from "./dom";
import { showHidden } from "./text";

export interface Series {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

/** An event to mark in the chart: an instant or a range, in seconds since 1970. */
export interface Mark {
  readonly label: string;
  readonly from: number;
  readonly to: number | undefined;
}

export interface ChartOptions {
  /** The text for screen readers. */
  readonly name: string;
  readonly kind: "line" | "bars";
  /** Seconds since 1970, or the numbers of `labels`. Ascending. */
  readonly xs: readonly number[];
  /** The labels of the x values, if these are not times. */
  readonly labels?: readonly string[] | undefined;
  readonly series: readonly Series[];
  readonly bounds?: { readonly minimum: number | undefined; readonly maximum: number | undefined };
  readonly marks?: readonly Mark[];
  /** The range of the x axis; default: the range of the data. */
  readonly range?: readonly [from: number, to: number] | undefined;
}

const colourNames = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6"] as const;
/** The largest number of series: more could not be told apart. */
export const mostSeries = colourNames.length;
const height = 260;

/** Draws the chart at the width of the element, until the signal aborts. */
export function drawChart(parent: HTMLElement, options: ChartOptions, signal: AbortSignal): void {
  const canvas = element("div", { role: "img", "aria-label": options.name });
  const readout = element("p", { class: "readout", "aria-hidden": "true" });
  fill(parent, canvas, legendOf(options), readout);
  let plot: uPlot | undefined;
  const draw = () => {
    plot?.destroy();
    const data = [options.xs, ...options.series.map(({ values }) => values)] as uPlot.AlignedData;
    plot = new uPlot(settingsOf(options, parent, readout), data, canvas);
  };
  // A canvas does not follow the page's width and colours.
  const sizes = new ResizeObserver(() => {
    if (parent.clientWidth > 0) plot?.setSize({ width: parent.clientWidth, height });
  });
  const colours = matchMedia("(prefers-color-scheme: dark)");
  colours.addEventListener("change", draw, { signal });
  signal.addEventListener("abort", () => {
    sizes.disconnect();
    plot?.destroy();
  });
  draw();
  sizes.observe(parent);
}

function legendOf({ series, bounds, marks = [] }: ChartOptions): HTMLElement {
  const key = (kind: string, label: string) => element("li", { class: kind }, element("bdi", {}, label));
  return element(
    "ul",
    { class: "legend" },
    ...series.slice(0, mostSeries).map(({ label }, n) => key(`series-${n + 1}`, label)),
    bounds?.minimum === undefined ? undefined : key("bound", `minimum ${bounds.minimum}`),
    bounds?.maximum === undefined ? undefined : key("bound", `maximum ${bounds.maximum}`),
    marks.length === 0 ? undefined : key("mark", "annotation"),
  );
}

function settingsOf(options: ChartOptions, parent: HTMLElement, readout: HTMLElement): uPlot.Options {
  const { kind, series, labels, range } = options;
  const colour = coloursOf(parent);
  const line = {
    stroke: colour("--quiet"),
    font: "12px system-ui, sans-serif",
    grid: { stroke: colour("--line"), width: 1 },
  };
  const axis = { ...line, ticks: { stroke: colour("--line"), width: 1 } };
  const bars = uPlot.paths.bars?.({ size: [0.8, 60] });
  return {
    width: Math.max(200, parent.clientWidth),
    height,
    padding: [16, 16, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { show: kind === "line" } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
    scales: {
      x: { time: labels === undefined, range: (_, from, to) => (range ? [...range] : roomFor(options, from, to)) },
      y: { range: (_, low, high) => heightFor(options, low, high) },
    },
    axes: [
      labels
        ? {
            ...axis,
            space: 80,
            values: (_, splits) => splits.map((at) => shortenLabel(labels[at] ?? "")),
            incrs: [1, 2, 5, 10, 20, 50, 100],
          }
        : { ...axis, values: (_plot, splits, _axis, _space, step) => formatTimes(splits, step) },
      { ...axis, size: 60 },
    ],
    series: [
      {},
      ...series.map(({ label }, n): uPlot.Series => {
        const stroke = colour(colourNames[n] ?? "--quiet");
        return {
          label,
          stroke,
          width: 2,
          points: { show: kind === "line" && options.xs.length < 2 },
          ...(kind === "bars" && bars ? { paths: bars, fill: stroke, width: 0 } : {}),
        };
      }),
    ],
    hooks: {
      draw: [(plot) => drawRanges(plot, options, colour), (plot) => drawLines(plot, options, colour)],
      setCursor: [(plot) => fill(readout, readoutOf(plot, options))],
    },
  };
}

/** Times in 24 hours; the first label of a day has the date. */
function formatTimes(splits: readonly number[], step: number): string[] {
  const texts = splits.map((at) => new Date(at * 1_000).toISOString());
  return texts.map((text, n) => {
    const day = text.slice(0, 10);
    if (step >= 86_400) return day;
    const clock = text.slice(11, step < 60 ? 19 : 16);
    return texts[n - 1]?.startsWith(day) ? clock : `${clock}\n${day}`;
  });
}

const shortenLabel = (label: string): string =>
  label.length <= 14 ? showHidden(label) : `${showHidden(label.slice(0, 13))}…`;

/** Bars are centred on their x value, so the first and the last need room on the side. */
function roomFor({ kind, xs }: ChartOptions, from: number, to: number): uPlot.Range.MinMax {
  const step = xs.length > 1 ? (to - from) / (xs.length - 1) : 1;
  const room = kind === "bars" || xs.length === 1 ? step : 0;
  return [from - room, to + room];
}

/** The y range starts at 0 and includes the bounds. */
function heightFor({ bounds }: ChartOptions, low: number, high: number): uPlot.Range.MinMax {
  const all = [0, low, high, bounds?.minimum, bounds?.maximum].filter((value) => typeof value === "number");
  const [min, max] = [Math.min(...all), Math.max(...all)];
  const room = (max - min || 1) * 0.08;
  return [min < 0 ? min - room : 0, max + room];
}

/** Resolves custom properties to plain colours, because a canvas does not support them. */
function coloursOf(parent: HTMLElement): (name: string) => string {
  const probe = element("i");
  parent.append(probe);
  const found = new Map<string, string>();
  for (const name of ["--text", "--quiet", "--line", "--bound", "--mark", "--mark-range", ...colourNames]) {
    probe.style.color = `var(${name})`;
    found.set(name, getComputedStyle(probe).color);
  }
  probe.remove();
  return (name) => found.get(name) ?? "gray";
}

type Colour = (name: string) => string;

function drawRanges({ ctx, bbox, valToPos }: uPlot, { marks = [] }: ChartOptions, colour: Colour): void {
  ctx.save();
  ctx.fillStyle = colour("--mark-range");
  for (const { from, to } of marks) {
    if (to === undefined) continue;
    const [left, right] = [valToPos(from, "x", true), valToPos(to, "x", true)];
    const start = Math.max(left, bbox.left);
    const width = Math.min(right, bbox.left + bbox.width) - start;
    if (width > 0) ctx.fillRect(start, bbox.top, width, bbox.height);
  }
  ctx.restore();
}

function drawLines({ ctx, bbox, valToPos }: uPlot, { marks = [], bounds }: ChartOptions, colour: Colour): void {
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.lineWidth = 2 * ratio;
  ctx.setLineDash([6 * ratio, 4 * ratio]);
  const stroke = (style: string, x1: number, y1: number, x2: number, y2: number) => {
    ctx.strokeStyle = style;
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
    ctx.stroke();
  };
  for (const value of [bounds?.minimum, bounds?.maximum]) {
    if (value === undefined) continue;
    const y = valToPos(value, "y", true);
    stroke(colour("--bound"), bbox.left, y, bbox.left + bbox.width, y);
  }
  ctx.setLineDash([]);
  ctx.font = `600 ${12 * ratio}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.fillStyle = colour("--mark");
  for (const { label, from } of marks) {
    const x = valToPos(from, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    stroke(colour("--mark"), x, bbox.top, x, bbox.top + bbox.height);
    ctx.fillText(label, x, bbox.top - 4 * ratio);
  }
  ctx.restore();
}

function readoutOf({ cursor }: uPlot, { xs, labels, series }: ChartOptions): string {
  const at = cursor.idx;
  const x = at === null || at === undefined ? undefined : xs[at];
  if (at === null || at === undefined || x === undefined) return "";
  const where = labels ? (labels[x] ?? "") : new Date(x * 1_000).toISOString().replace(".000Z", "Z");
  return `${where}: ${series.map(({ label, values }) => `${label} ${values[at] ?? "no value"}`).join(", ")}`;
}
