// Every rung with its interval: a dot on a line, the baseline marked by a rule.
import { dot, ruleX, ruleY, type PlotOptions } from '@observablehq/plot';
import { durationRange } from '../format/units';
import type { Estimate } from '../format/number';
import { nameMargin, shortened, timeUnit, valueAxis } from './axes';
import { accent, bad, muted } from './colours';

export interface Rung {
  name: string;
  time: Estimate;
  rejected: boolean;
  anchor: boolean;
  baseline: boolean;
}

export function ladder(rungs: Rung[], width: number): PlotOptions {
  const ends = rungs.flatMap(({ time }) => [time.low, time.value, time.high]);
  const { unit, size } = timeUnit(rungs.map(({ time }) => time.value));
  const margin = nameMargin(rungs.map(({ name }) => name), width);
  const colour = (rung: Rung) => (rung.rejected ? bad : rung.anchor ? muted : accent);
  const title = (rung: Rung) => `${rung.name}: ${durationRange(rung.time)}${rung.rejected ? ', rejected' : ''}`;
  const baseline = rungs.find((rung) => rung.baseline);
  return {
    height: 52 + rungs.length * 24,
    marginLeft: margin,
    marginRight: 16,
    insetLeft: 8,
    insetRight: 8,
    x: valueAxis('time of a call', unit, ends.map((ns) => ns / size), width),
    y: { domain: rungs.map(({ name }) => name), label: null, tickFormat: (name: string) => shortened(name, margin), tickSize: 0 },
    marks: [
      baseline ? ruleX([baseline.time.value / size], { stroke: muted, strokeDasharray: '2,3' }) : null,
      ruleY(rungs, { y: 'name', x1: (r: Rung) => r.time.low / size, x2: (r: Rung) => r.time.high / size, stroke: colour, strokeWidth: 3, strokeOpacity: 0.55, title }),
      dot(rungs, { y: 'name', x: (r: Rung) => r.time.value / size, fill: colour, r: 4.5, symbol: (r: Rung) => (r.rejected ? 'times' : r.anchor ? 'square' : 'circle'), stroke: colour, title }),
    ],
    symbol: { type: 'identity' } as never,
  };
}
