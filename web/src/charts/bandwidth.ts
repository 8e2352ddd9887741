// Work without arithmetic has no place under a roofline: bytes in a second against the bandwidths of the machine.
import { dot, ruleX, ruleY, text, type PlotOptions } from '@observablehq/plot';
import { nameMargin, shortened, valueAxis } from './axes';
import { muted } from './colours';
import type { Roof } from './roofline';

export function bandwidth({ variants, ceilings, bytes }: Roof, width: number): PlotOptions {
  const best = new Map<string, number>();
  for (const each of ceilings) if (each.unit === 'B/s' && !each.level.includes('+')) best.set(each.level, Math.max(best.get(each.level) ?? 0, each.value / 1e9));
  const rules = [...best].map(([level, value]) => ({ level, value })).sort((a, b) => a.value - b.value);
  const labelRows = [0, 1].map((row) => rules.filter((_, at) => at % 2 === row));
  const rate = (ns: number) => bytes / ns;  // bytes per nanosecond are GB/s
  const rows = variants.map((each) => ({ name: each.name, colour: each.colour, x: rate(each.time.value), low: rate(each.time.high), high: rate(each.time.low) }));
  const margin = nameMargin(rows.map(({ name }) => name), width);
  return {
    height: 84 + rows.length * 24,
    marginLeft: margin,
    marginRight: 24,
    marginTop: 40,
    x: valueAxis('declared bytes in a second', 'GB/s', [...rows.flatMap(({ low, high }) => [low, high]), ...rules.map(({ value }) => value)], width, true),
    y: { domain: rows.map(({ name }) => name), label: null, tickFormat: (name: string) => shortened(name, margin), tickSize: 0 },
    marks: [
      ruleX(rules, { x: 'value', stroke: muted, strokeDasharray: '4,3' }),
      // In two rows: neighbours are often close.
      ...labelRows.map((labels, row) => text(labels, { x: 'value', text: 'level', frameAnchor: 'top', dy: -12 - 12 * row, fill: muted })),
      ruleY(rows, { y: 'name', x1: 'low', x2: 'high', stroke: 'colour', strokeWidth: 3, strokeOpacity: 0.55 }),
      dot(rows, { y: 'name', x: 'x', fill: 'colour', r: 4.5 }),
    ],
  };
}
