// Axes that all drawings share: a unit in every label, few ticks, room for long names.
import type { ScaleOptions } from '@observablehq/plot';
import { tick } from '../format/number';
import { axisScale } from '../format/units';

const roomy = (width: number) => (width < 500 ? 4 : 7);

/** 1, 2, 5, 10, … within the ends; only powers of ten (or of a thousand) where those are too many. */
export function steps(from: number, to: number, most: number): number[] {
  for (const [factors, stride] of [[[1, 2, 5], 1], [[1, 3], 1], [[1], 1], [[1], 2], [[1], 3]] as const) {
    const found: number[] = [];
    for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); power += stride) {
      for (const factor of factors) {
        const value = factor * 10 ** power;
        if (value >= from * 0.999 && value <= to * 1.001) found.push(value);
      }
    }
    if (found.length <= most && found.length > 0) return found;
  }
  return [from, to];
}

/** A logarithmic axis when values differ by more than a factor of eight, else a plain one that does not pretend. */
export function valueAxis(label: string, unit: string, values: number[], width: number, log?: boolean): ScaleOptions {
  const known = values.filter((value) => Number.isFinite(value) && value > 0);
  const far = log ?? Math.max(...known) / Math.min(...known) > 8;
  return {
    type: far ? 'log' : 'linear',
    label: `${label} (${unit}${far ? ', log scale' : ''})`,
    labelArrow: 'none',
    ticks: far ? steps(Math.min(...known), Math.max(...known), roomy(width)) : roomy(width),
    tickFormat: tick,
    grid: true,
    nice: !far,
  };
}

/** Nanoseconds in the unit that suits the largest of them. */
export function timeUnit(values: number[]): { unit: string; size: number } {
  return axisScale('time', Math.max(...values.filter(Number.isFinite), 1));
}

/**
 * Rows for labels that begin at these pixels, in any order, so that no two of a row overlap: 0 is the nearest to its point.
 * With more neighbours than rows the last row takes them all.
 */
export function labelRows(labels: { x: number; text: string }[], rows: number): number[] {
  const free = new Array<number>(rows).fill(Number.NEGATIVE_INFINITY);
  const row = new Array<number>(labels.length).fill(0);
  for (const at of labels.map((_, index) => index).sort((a, b) => labels[a]!.x - labels[b]!.x)) {
    const { x, text } = labels[at]!;
    const found = free.findIndex((from) => from <= x);
    row[at] = found < 0 ? rows - 1 : found;
    free[row[at]!] = x + text.length * 6.2 + 6;
  }
  return row;
}

/** The left margin that names need, at most two fifths of the width. */
export function nameMargin(names: string[], width: number): number {
  const longest = Math.max(4, ...names.map((name) => name.length));
  return Math.min(longest * 7 + 16, width * 0.4);
}

/** A name that fits its margin. */
export function shortened(name: string, margin: number): string {
  const room = Math.max(4, Math.floor((margin - 14) / 6.8));
  return name.length > room ? `${name.slice(0, room - 1)}…` : name;
}
