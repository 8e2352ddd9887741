// Raw samples: one dot for each, spread a little so that none hides another, and the median as a diamond.
import { dot, type PlotOptions } from '@observablehq/plot';
import { nameMargin, shortened, timeUnit, valueAxis } from './axes';

export interface Sampled {
  name: string;
  colour: string;
  ns: number[];
}

/** More dots than this cannot be told apart; then every k-th is drawn, the median is of all. */
const most = 800;

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

export function distribution(variants: Sampled[], width: number): PlotOptions {
  const all = variants.flatMap(({ ns }) => ns);
  const { unit, size } = timeUnit(variants.map(({ ns }) => median(ns)));
  const margin = nameMargin(variants.map(({ name }) => name), width);
  const dots = variants.flatMap(({ name, colour, ns }, row) => {
    const step = Math.ceil(ns.length / most);
    return ns
      .filter((_, at) => at % step === 0)
      // The golden ratio spreads neighbours evenly, the same way each time.
      .map((value, at) => ({ x: value / size, y: row + (((at * 0.618034) % 1) - 0.5) * 0.6, colour, name }));
  });
  return {
    height: 52 + variants.length * 44,
    marginLeft: margin,
    marginRight: 16,
    insetLeft: 6,
    insetRight: 6,
    x: valueAxis('time of a call', unit, all.map((ns) => ns / size), width),
    y: { domain: [variants.length - 0.5, -0.5], label: null, ticks: variants.map((_, at) => at), tickFormat: (at: number) => shortened(variants[at]?.name ?? '', margin), tickSize: 0 },
    marks: [
      dot(dots, { x: 'x', y: 'y', fill: 'colour', fillOpacity: 0.45, r: 2.2 }),
      dot(variants.map(({ ns, name }, row) => ({ x: median(ns) / size, row, name })), { x: 'x', y: 'row', symbol: 'diamond', fill: 'var(--text)', r: 5, stroke: 'var(--surface)', title: (d: { name: string }) => `median of ${d.name}` }),
    ],
  };
}
