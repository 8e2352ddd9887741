// Samples in the order in which they were taken; a rule where a fresh process began.
import { dot, ruleX, type PlotOptions } from '@observablehq/plot';
import type { Samples } from '../api/types';
import { timeUnit, valueAxis } from './axes';
import { muted } from './colours';

export interface Timed {
  name: string;
  colour: string;
  samples: Samples;
}

export function rounds(variants: Timed[], width: number): PlotOptions {
  const all = variants.flatMap(({ samples }) => samples.ns);
  const { unit, size } = timeUnit(all);
  const keys = new Set<string>();
  for (const { samples } of variants) samples.round.forEach((round, at) => keys.add(`${String(samples.attempt[at]).padStart(6, '0')} ${String(round).padStart(8, '0')}`));
  const order = [...keys].sort();
  const at = new Map(order.map((key, index) => [key, index + 1]));
  const dots = variants.flatMap(({ name, colour, samples }) =>
    samples.ns.map((ns, i) => ({ y: ns / size, colour, name, x: at.get(`${String(samples.attempt[i]).padStart(6, '0')} ${String(samples.round[i]).padStart(8, '0')}`) ?? 0 })),
  );
  const borders = order.flatMap((key, index) => (index > 0 && key.slice(0, 6) !== order[index - 1]!.slice(0, 6) ? [index + 0.5] : []));
  return {
    height: 280,
    inset: 8,
    marginLeft: 56,
    x: { label: 'round (dashed: a fresh process)', labelArrow: 'none', tickFormat: 'd', ticks: width < 500 ? 4 : 8 },
    y: valueAxis('time of a call', unit, all.map((ns) => ns / size), width),
    marks: [ruleX(borders, { stroke: muted, strokeDasharray: '4,4' }), dot(dots, { x: 'x', y: 'y', fill: 'colour', fillOpacity: 0.7, r: 2.2, title: 'name' })],
  };
}
