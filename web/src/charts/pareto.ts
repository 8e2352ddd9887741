// Time against memory (or error, or energy): what nothing beats is filled and joined by a line.
import { dot, line, ruleY, text, type PlotOptions } from '@observablehq/plot';
import type { Estimate } from '../format/number';
import { timeUnit, valueAxis } from './axes';
import { accent, muted } from './colours';

export interface Contender {
  name: string;
  time: Estimate;
  other: number;
  front: boolean;
}
export interface ParetoData {
  members: Contender[];
  label: string;
  unit: string;
}

/** From zero where the axis is plain: memory that differs little should look so. */
function heldAxis(label: string, unit: string, members: Contender[], width: number) {
  const axis = valueAxis(label, unit, members.map(({ other }) => other), width);
  return axis.type === 'log' ? axis : { ...axis, zero: true };
}

export function pareto({ members, label, unit: otherUnit }: ParetoData, width: number): PlotOptions {
  const { unit, size } = timeUnit(members.map(({ time }) => time.value));
  const front = members.filter((each) => each.front).sort((a, b) => a.time.value - b.time.value);
  const colour = (each: Contender) => (each.front ? accent : muted);
  const x = (each: Contender) => each.time.value / size;
  return {
    height: 300,
    inset: 16,
    marginTop: 28,
    marginLeft: 64,
    marginRight: 90,
    x: valueAxis('time of a call', unit, members.flatMap(({ time }) => [time.low / size, time.high / size]), width),
    y: heldAxis(label, otherUnit, members, width),
    marks: [
      line(front, { x, y: 'other', stroke: accent, strokeOpacity: 0.5, curve: 'step-after' }),
      ruleY(members, { x1: (each: Contender) => each.time.low / size, x2: (each: Contender) => each.time.high / size, y: 'other', stroke: colour, strokeWidth: 2.5, strokeOpacity: 0.5 }),
      dot(members, { x, y: 'other', fill: (each: Contender) => (each.front ? accent : 'var(--surface)'), stroke: colour, strokeWidth: 1.5, r: 5 }),
      text(members, { x, y: 'other', text: 'name', textAnchor: 'start', dx: 9, dy: -8, fill: 'currentColor' }),
    ],
  };
}
