// Measured ceilings of one unit: a filled dot for all threads, an open one for fewer.
import { dot, ruleY, type PlotOptions } from '@observablehq/plot';
import { rate } from '../format/units';
import { nameMargin, shortened, valueAxis } from './axes';
import { accent, line } from './colours';

export interface Heights {
  unit: string;
  rows: { name: string; threads: number; value: number }[];
}

export function heights({ unit, rows }: Heights, width: number): PlotOptions {
  const scale = unit === 'ns' ? 1 : 1e9;
  const most = Math.max(...rows.map(({ threads }) => threads));
  const shown = rows.map(({ name, threads, value }) => ({ name, x: value / scale, full: threads === most, title: `${name}, ${threads} threads: ${rate(value, unit)}` }));
  const names = [...new Set(rows.map(({ name }) => name))];
  const margin = nameMargin(names, width);
  return {
    height: 52 + names.length * 22,
    marginLeft: margin,
    marginRight: 20,
    x: valueAxis(unit === 'ns' ? 'latency' : unit === 'B/s' ? 'bandwidth' : 'arithmetic', unit === 'ns' ? 'ns' : `G${unit}`, shown.map(({ x }) => x), width, true),
    y: { domain: names, label: null, tickSize: 0, tickFormat: (name: string) => shortened(name, margin) },
    marks: [ruleY(shown, { y: 'name', stroke: line }), dot(shown, { x: 'x', y: 'name', fill: (each: { full: boolean }) => (each.full ? accent : 'var(--surface)'), stroke: accent, strokeWidth: 1.5, r: 4.5, title: 'title' })],
  };
}
