// One series over its runs: values with intervals, levels between changes, a rule where the level changed.
import { dot, link, ruleX, type PlotOptions } from '@observablehq/plot';
import type { HistorySeries } from '../api/types';
import { moment } from '../format/text';
import { durationRange, figureRange } from '../format/units';
import { timeUnit, valueAxis } from './axes';
import { accent, bad, muted } from './colours';

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** `commits` has that of each point. */
export function historyOf(series: HistorySeries & { commits: string[] }, width: number): PlotOptions {
  const isTime = series.goal !== 'throughput' && series.goal !== 'memory';
  const { unit, size } = isTime ? timeUnit(series.points.map(({ value }) => value.value)) : { unit: series.goal === 'memory' ? 'B' : 'items/s', size: 1 };
  const points = series.points.map(({ value, time }, at) => ({
    x: at + 1,
    y: value.value / size,
    low: value.low / size,
    high: value.high / size,
    title: `${isTime ? durationRange(value) : figureRange(series.goal, value)}, ${moment(time)}, ${series.commits[at] || 'commit unknown'}`,
  }));
  const cuts = [0, ...series.changes.map(({ at }) => at), points.length];
  const levels = cuts.slice(1).map((end, at) => {
    const begin = cuts[at]!;
    return { x1: begin + 0.6, x2: end + 0.4, y: median(points.slice(begin, end).map(({ y }) => y)) };
  });
  return {
    height: 240,
    marginLeft: 60,
    x: { label: 'result (count, oldest first)', labelArrow: 'none', domain: [0.5, points.length + 0.5], ticks: Math.min(points.length, width < 500 ? 5 : 12), tickFormat: 'd' },
    y: valueAxis(isTime ? 'time of a call' : series.goal, unit, points.flatMap(({ low, high }) => [low, high]), width),
    marks: [
      link(levels, { x1: 'x1', x2: 'x2', y1: 'y', y2: 'y', stroke: muted, strokeWidth: 1.5 }),
      ruleX(series.changes, { x: (change: { at: number }) => change.at + 0.5, stroke: (change: { worse: boolean }) => (change.worse ? bad : accent), strokeWidth: 1.5, strokeDasharray: '5,3' }),
      ruleX(points, { x: 'x', y1: 'low', y2: 'high', stroke: accent, strokeWidth: 2.5, strokeOpacity: 0.45 }),
      dot(points, { x: 'x', y: 'y', fill: accent, r: 3.2, title: 'title' }),
    ],
  };
}
