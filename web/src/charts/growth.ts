// Time against size, one line for each variant, an interval at each point.
import { dot, line, ruleX, type PlotOptions } from '@observablehq/plot';
import type { Estimate } from '../format/number';
import { timeUnit, valueAxis } from './axes';

export interface Growth {
  axis: string;
  lines: { name: string; colour: string; points: { at: number; time: Estimate }[] }[];
}

export function growth({ axis, lines }: Growth, width: number): PlotOptions {
  const points = lines.flatMap(({ name, colour, points: all }) => all.map(({ at, time }) => ({ name, colour, at, ...time })));
  const { unit, size } = timeUnit(points.map(({ value }) => value));
  const scaled = points.map((each) => ({ ...each, value: each.value / size, low: each.low / size, high: each.high / size }));
  const sizes = [...new Set(points.map(({ at }) => at))].sort((a, b) => a - b);
  return {
    height: 300,
    inset: 8,
    marginLeft: 60,
    x: { ...valueAxis(axis, 'size', sizes, width, true), ...(sizes.length <= 6 ? { ticks: sizes } : {}) },
    y: valueAxis('time of a call', unit, scaled.flatMap(({ low, high }) => [low, high]), width, true),
    marks: [
      line(scaled, { x: 'at', y: 'value', z: 'name', stroke: 'colour', strokeWidth: 1.5 }),
      ruleX(scaled, { x: 'at', y1: 'low', y2: 'high', stroke: 'colour', strokeWidth: 3, strokeOpacity: 0.5 }),
      dot(scaled, { x: 'at', y: 'value', fill: 'colour', r: 4, title: 'name' }),
    ],
  };
}
