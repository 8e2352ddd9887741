// Numbers as the pages write them, read back to be held to what the server says.
import { expect } from '@playwright/test';

export interface Ratio {
  ratio: number;
  low: number | string;
  high: number | string;
}

/** What is shown is what was told, rounded: off by half of its last digit at most. "460" may be rounded to tens. */
export function expectRounded(shown: string, told: number): void {
  const [whole = '', part] = shown.split('.');
  const place = part === undefined ? /0*$/.exec(whole)![0].length : -part.length;
  expect(Math.abs(Number(shown) - told), `${shown} for ${told}`).toBeLessThanOrEqual(0.5000001 * 10 ** place);
}

/** "1.25x [1.23, 1.28]", or words where there is no interval or no ratio. */
export function expectRatio(shown: string, told: Ratio | null): void {
  const text = shown.trim();
  if (!told) return expect(text).toMatch(/^(–|claimed [\d.,]+x)$/);
  if (typeof told.low !== 'number' || typeof told.high !== 'number' || told.low <= 0) {
    const [, value] = /^([\d.,]+)x \(no interval\)$/.exec(text) ?? [];
    expect(value, text).toBeDefined();
    return expectRounded(value!, told.ratio);
  }
  if (told.low === told.high) return expectRounded(/^([\d.]+)x$/.exec(text)?.[1] ?? text, told.ratio);
  const [, value, low, high] = /^([\d.e+]+)x \[([\d.e+]+), ([\d.e+]+)\]$/.exec(text) ?? [];
  expect(high, text).toBeDefined();
  expectRounded(value!, told.ratio);
  expectRounded(low!, told.low);
  expectRounded(high!, told.high);
}
