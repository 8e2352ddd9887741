// Where the variants stand below this machine's measured ceilings.
import { dot, line, ruleX, text, type PlotOptions } from '@observablehq/plot';
import type { Ceiling } from '../api/types';
import type { Estimate } from '../format/number';
import { valueAxis } from './axes';
import { muted } from './colours';

export interface OnRoof {
  name: string;
  colour: string;
  time: Estimate;
}
export interface Roof {
  variants: OnRoof[];
  ceilings: Ceiling[];
  bytes: number;
  flops: number;
}

/** The highest of a kind at each level: bandwidths for slopes, arithmetic for flat roofs. */
function highest(ceilings: Ceiling[], unit: string): { name: string; value: number }[] {
  const best = new Map<string, Ceiling>();
  for (const each of ceilings) {
    if (each.unit !== unit || each.level.includes('+')) continue;  // mixtures of two levels lie between them
    const known = best.get(each.level);
    if (!known || each.value > known.value) best.set(each.level, each);
  }
  return [...best.values()].sort((a, b) => b.value - a.value).map(({ level, value }) => ({ name: level, value }));
}

export function roofline({ variants, ceilings, bytes, flops }: Roof, width: number): PlotOptions {
  const slopes = highest(ceilings, 'B/s');
  const flats = highest(ceilings, 'FLOP/s');
  const intensity = flops / bytes;
  const from = Math.min(intensity / 4, 0.05);
  const to = Math.max(intensity * 8, 64);
  const top = Math.max(1, ...flats.map(({ value }) => value));
  const giga = 1e9;
  const rate = (ns: number) => flops / ns;  // flops per nanosecond are GFLOP/s
  const points = variants.map((each) => ({ x: intensity, y: rate(each.time.value), low: rate(each.time.high), high: rate(each.time.low), colour: each.colour, name: each.name }));
  const lines = slopes.flatMap((slope) => {
    const bend = Math.max(from, top / slope.value);
    return [from, Math.min(bend, to)].map((x) => ({ x, y: (x * slope.value) / giga, name: slope.name }));
  });
  // Each a little further along, so that bandwidths of one size do not write over each other.
  const labels = slopes.map(({ name, value }, at) => ({ x: from * 1.7 ** at, y: (from * 1.7 ** at * value) / giga, name }));
  const roofs = flats.flatMap((flat) => [from, to].map((x) => ({ x, y: flat.value / giga, name: flat.name })));
  const lowest = Math.min(...points.map(({ low }) => low), ...lines.map(({ y }) => y));
  return {
    height: 320,
    marginLeft: 56,
    marginRight: 16,
    x: { ...valueAxis('work for a byte', 'FLOP/B', [from, to], width, true), domain: [from, to] },
    y: { ...valueAxis('rate', 'GFLOP/s', [lowest, top / giga], width, true), domain: [lowest / 2, (top / giga) * 2] },
    marks: [
      line(lines, { x: 'x', y: 'y', z: 'name', stroke: muted, clip: true }),
      line(roofs, { x: 'x', y: 'y', z: 'name', stroke: muted, strokeDasharray: '5,3' }),
      text(labels, { x: 'x', y: 'y', text: 'name', textAnchor: 'start', dx: 6, dy: 6, fill: muted }),
      text(roofs.filter((_, at) => at % 2 === 1), { x: 'x', y: 'y', text: 'name', textAnchor: 'end', dy: -6, fill: muted }),
      ruleX(points, { x: 'x', y1: 'low', y2: 'high', stroke: 'colour', strokeWidth: 3, strokeOpacity: 0.5 }),
      dot(points, { x: 'x', y: 'y', fill: 'colour', r: 4.5, title: 'name' }),
    ],
  };
}
