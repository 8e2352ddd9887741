// Time against memory (or error, or energy): what nothing beats is filled and joined by a line.
import { dot, line, ruleY, text, type PlotOptions } from '@observablehq/plot';
import type { Estimate } from '../format/number';
import { labelRows, timeUnit, valueAxis } from './axes';
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

const margins = { left: 64, right: 90 };
const labelDys = [-8, -20, -32, -44];
const plotted = (width: number) => Math.max(60, width - margins.left - margins.right - 32);

/** So many labels fit above each other. */
const heights = 16;

/** Where values lie between the least and the greatest, from 0 to 1. */
function shares(values: number[], log: boolean): number[] {
  const scaled = values.map((value) => (log ? Math.log(value) : value));
  const [least, most] = [Math.min(...scaled), Math.max(...scaled)];
  return scaled.map((value) => (value - least) / (most - least || 1));
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
  const xAxis = valueAxis('time of a call', unit, members.flatMap(({ time }) => [time.low / size, time.high / size]), width);
  // Variants that hold the same memory lie on one line: their names go up in steps where they would overlap.
  const yAxis = heldAxis(label, otherUnit, members, width);
  const from = shares(members.map(x), xAxis.type === 'log');
  const up = shares([...members.map(({ other }) => other), ...(yAxis.type === 'log' ? [] : [0])], yAxis.type === 'log');
  const rows = new Array<number>(members.length).fill(0);
  for (const height of new Set(members.map((_, at) => Math.round(up[at]! * heights)))) {
    const level = members.map((_, at) => at).filter((at) => Math.round(up[at]! * heights) === height);
    const found = labelRows(level.map((at) => ({ x: plotted(width) * from[at]!, text: members[at]!.name })), labelDys.length);
    level.forEach((at, index) => (rows[at] = found[index]!));
  }
  return {
    height: 300,
    inset: 16,
    marginTop: 28 + 12 * Math.max(0, ...rows),
    marginLeft: margins.left,
    marginRight: margins.right,
    x: xAxis,
    y: yAxis,
    marks: [
      line(front, { x, y: 'other', stroke: accent, strokeOpacity: 0.5, curve: 'step-after' }),
      ruleY(members, { x1: (each: Contender) => each.time.low / size, x2: (each: Contender) => each.time.high / size, y: 'other', stroke: colour, strokeWidth: 2.5, strokeOpacity: 0.5 }),
      dot(members, { x, y: 'other', fill: (each: Contender) => (each.front ? accent : 'var(--surface)'), stroke: colour, strokeWidth: 1.5, r: 5 }),
      ...labelDys.map((dy, row) => text(members.filter((_, at) => rows[at] === row), { x, y: 'other', text: 'name', textAnchor: 'start', dx: 9, dy, fill: 'currentColor' })),
    ],
  };
}
