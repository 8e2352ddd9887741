// Measured ceilings of one unit, as dots on a logarithmic axis.
import { dot, ruleY, type PlotOptions } from '@observablehq/plot';
import { rate } from '../format/units';
import { nameMargin, shortened, valueAxis } from './axes';
import { accent, line } from './colours';

export interface Heights {
  unit: string;
  rows: { name: string; value: number }[];
}

export function heights({ unit, rows }: Heights, width: number): PlotOptions {
  const scale = unit === 'ns' ? 1 : 1e9;
  const shown = rows.map(({ name, value }) => ({ name, x: value / scale, title: `${name}: ${rate(value, unit)}` }));
  const margin = nameMargin(rows.map(({ name }) => name), width);
  return {
    height: 52 + rows.length * 22,
    marginLeft: margin,
    marginRight: 20,
    x: valueAxis(unit === 'ns' ? 'latency' : unit === 'B/s' ? 'bandwidth' : 'arithmetic', unit === 'ns' ? 'ns' : `G${unit}`, shown.map(({ x }) => x), width, true),
    y: { domain: rows.map(({ name }) => name), label: null, tickSize: 0, tickFormat: (name: string) => shortened(name, margin) },
    marks: [ruleY(shown, { y: 'name', stroke: line }), dot(shown, { x: 'x', y: 'name', fill: accent, r: 4.5, title: 'title' })],
  };
}
