import { type ComputedFunctions, compute, type Json, numbersOf } from "./define";

interface Complex {
  readonly re: readonly number[];
  readonly im: readonly number[];
}

const zeros = (length: number): number[] => new Array<number>(length).fill(0);

/** Halves the series while its length is even, then transforms it by the definition. */
function transform({ re, im }: Complex, sign: 1 | -1): Complex {
  const n = re.length;
  if (n % 2 !== 0 || n < 2) return transformDirectly({ re, im }, sign);
  const half = (offset: 0 | 1): Complex =>
    transform({ re: re.filter((_, i) => i % 2 === offset), im: im.filter((_, i) => i % 2 === offset) }, sign);
  const [even, odd] = [half(0), half(1)];
  const [outRe, outIm] = [zeros(n), zeros(n)];
  for (let k = 0; k < n / 2; k += 1) {
    const angle = (sign * 2 * Math.PI * k) / n;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const [a, b] = [odd.re[k] ?? 0, odd.im[k] ?? 0];
    const [turnedRe, turnedIm] = [a * cos - b * sin, a * sin + b * cos];
    outRe[k] = (even.re[k] ?? 0) + turnedRe;
    outIm[k] = (even.im[k] ?? 0) + turnedIm;
    outRe[k + n / 2] = (even.re[k] ?? 0) - turnedRe;
    outIm[k + n / 2] = (even.im[k] ?? 0) - turnedIm;
  }
  return { re: outRe, im: outIm };
}

/** The longest odd length, because the time grows with its square. */
const longestOdd = 4095;

function transformDirectly({ re, im }: Complex, sign: 1 | -1): Complex {
  const n = re.length;
  if (n > longestOdd)
    throw new Error(`a series of ${n} numbers is too long to transform: make its length a power of 2`);
  const [outRe, outIm] = [zeros(n), zeros(n)];
  for (let k = 0; k < n; k += 1) {
    for (let t = 0; t < n; t += 1) {
      const angle = (sign * 2 * Math.PI * k * t) / n;
      const [a, b] = [re[t] ?? 0, im[t] ?? 0];
      outRe[k] = (outRe[k] ?? 0) + a * Math.cos(angle) - b * Math.sin(angle);
      outIm[k] = (outIm[k] ?? 0) + a * Math.sin(angle) + b * Math.cos(angle);
    }
  }
  return { re: outRe, im: outIm };
}

/** The real and the imaginary part, each a series. */
function spectrum(real: Json, imaginary: Json | undefined, sign: 1 | -1): readonly (readonly number[])[] {
  const re = numbersOf(real).map((x) => x ?? 0);
  const given = imaginary === undefined ? [] : numbersOf(imaginary);
  const result = transform({ re, im: re.map((_, i) => given[i] ?? 0) }, sign);
  const scale = sign === 1 ? re.length : 1;
  return [result.re, result.im].map((part) => part.map((x) => x / scale));
}

export const spectrumFunctions: ComputedFunctions = {
  series_fft: compute("dynamic, dynamic?", "dynamic", (re: Json, im?: Json) => spectrum(re, im, -1)),
  series_ifft: compute("dynamic, dynamic?", "dynamic", (re: Json, im?: Json) => spectrum(re, im, 1)),
};
