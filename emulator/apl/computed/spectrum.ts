import FFT = require("fft.js");

import { type ComputedFunctions, compute, type Json, numbersOf } from "./define";

/** Complex numbers in one list: the real and the imaginary part of each in turn. */
type Complex = readonly number[];

const multiply = (a: Complex, b: Complex): Complex =>
  a.map((x, i) => {
    const [other, y, z] = [a[i ^ 1] ?? 0, b[i] ?? 0, b[i ^ 1] ?? 0];
    return i % 2 === 0 ? x * y - other * z : x * z + other * y;
  });

const conjugate = (list: Complex): Complex => list.map((x, i) => (i % 2 === 0 ? x : -x));

function transform(input: Complex): Complex {
  const length = input.length / 2;
  if (length < 2) return input;
  if ((length & (length - 1)) !== 0) return transformAnyLength(input, length);
  const fft = new FFT(length);
  const output: number[] = fft.createComplexArray();
  fft.transform(output, input);
  return output;
}

/** Any length becomes a convolution of a power of two (Bluestein's algorithm). */
function transformAnyLength(input: Complex, length: number): Complex {
  const size = 2 ** Math.ceil(Math.log2(2 * length));
  const chirp = Array.from({ length }, (_, k) => (-Math.PI * (k ** 2 % (2 * length))) / length).flatMap((angle) => [
    Math.cos(angle),
    Math.sin(angle),
  ]);
  const [padded, kernel] = [new Array<number>(size * 2).fill(0), new Array<number>(size * 2).fill(0)];
  for (const [i, value] of multiply(input, chirp).entries()) padded[i] = value;
  for (const [i, value] of conjugate(chirp).entries()) {
    kernel[i] = value;
    kernel[(i < 2 ? i : size * 2 - i + (i % 2) * 2) % (size * 2)] = value;
  }
  const product = multiply(transform(padded), transform(kernel));
  const convolved = conjugate(transform(conjugate(product))).map((x) => x / size);
  return multiply(convolved.slice(0, length * 2), chirp);
}

/** The real and the imaginary part, each a series. */
function spectrum(real: Json, imaginary: Json | undefined, isInverse: boolean): readonly (readonly number[])[] {
  const given = imaginary === undefined ? [] : numbersOf(imaginary);
  const input = numbersOf(real).flatMap((x, i) => [x ?? 0, given[i] ?? 0]);
  // The inverse is the transform of the conjugate, divided by the length.
  const output = isInverse
    ? conjugate(transform(conjugate(input))).map((x) => (2 * x) / input.length)
    : transform(input);
  return [0, 1].map((part) => output.filter((_, i) => i % 2 === part));
}

export const spectrumFunctions: ComputedFunctions = {
  series_fft: compute("dynamic, dynamic?", "dynamic", (re: Json, im?: Json) => spectrum(re, im, false)),
  series_ifft: compute("dynamic, dynamic?", "dynamic", (re: Json, im?: Json) => spectrum(re, im, true)),
};
