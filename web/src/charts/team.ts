// Speed-up against threads or ranks; the dashed line is what perfect scaling would give.
import { dot, line, ruleX, type PlotOptions } from '@observablehq/plot';
import type { Estimate } from '../format/number';
import { muted } from './colours';
import { valueAxis } from './axes';

export interface Team {
  axis: string;
  lines: { name: string; colour: string; points: { members: number; speedup: Estimate }[] }[];
}

export function team({ axis, lines }: Team, width: number): PlotOptions {
  const points = lines.flatMap(({ name, colour, points: all }) => all.map(({ members, speedup }) => ({ name, colour, members, ...speedup })));
  const members = [...new Set(points.map((each) => each.members))].sort((a, b) => a - b);
  const least = members[0] ?? 1;
  return {
    height: 280,
    marginLeft: 52,
    x: { label: `${axis} (count)`, labelArrow: 'none', ticks: members, tickFormat: 'd' },
    y: { ...valueAxis('speed-up', 'times', [1], width, false), zero: true },
    marks: [
      line(members.map((at) => ({ at, ideal: at / least })), { x: 'at', y: 'ideal', stroke: muted, strokeDasharray: '5,4' }),
      line(points, { x: 'members', y: 'value', z: 'name', stroke: 'colour', strokeWidth: 1.5 }),
      ruleX(points, { x: 'members', y1: 'low', y2: 'high', stroke: 'colour', strokeWidth: 3, strokeOpacity: 0.5 }),
      dot(points, { x: 'members', y: 'value', fill: 'colour', r: 4, title: 'name' }),
    ],
  };
}
