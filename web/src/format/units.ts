// Values with their units. Every unit of the dashboard is written here.
import { count, digitsFor, plain, times, type Estimate } from './number';

interface Scale {
  unit: string;
  size: number;
}

const time: Scale[] = [
  { unit: 's', size: 1e9 },
  { unit: 'ms', size: 1e6 },
  { unit: 'µs', size: 1e3 },
  { unit: 'ns', size: 1 },
];
const binary: Scale[] = ['TiB', 'GiB', 'MiB', 'KiB', 'B'].map((unit, at) => ({ unit, size: 1024 ** (4 - at) }));
const decimal = (unit: string): Scale[] => ['T', 'G', 'M', 'k', ''].map((prefix, at) => ({ unit: `${prefix}${unit}`, size: 1000 ** (4 - at) }));
const joules: Scale[] = [
  { unit: 'J', size: 1 },
  { unit: 'mJ', size: 1e-3 },
  { unit: 'µJ', size: 1e-6 },
  { unit: 'nJ', size: 1e-9 },
];

function scaleOf(scales: Scale[], value: number): Scale {
  const size = Math.abs(value);
  return scales.find((scale) => size >= scale.size * 0.9995) ?? scales[scales.length - 1]!;
}

function one(scales: Scale[], value: number, digits = 3): string {
  const scale = scaleOf(scales, value);
  const shown = value / scale.size;
  return `${scale.size === 1 && Number.isInteger(shown) ? count(shown) : plain(shown, digits)} ${scale.unit}`;
}

/** Both ends in the unit of the value: "1.63 ms [1.57, 1.70]". */
function ranged(scales: Scale[], estimate: Estimate): string {
  const { unit, size } = scaleOf(scales, estimate.value);
  const digits = digitsFor(estimate);
  return `${plain(estimate.value / size, digits)} ${unit} [${plain(estimate.low / size, digits)}, ${plain(estimate.high / size, digits)}]`;
}

export const duration = (ns: number, digits = 3): string => one(time, ns, digits);
export const durationRange = (ns: Estimate): string => ranged(time, ns);
export const bytes = (value: number): string => one(binary, value);
export const rate = (value: number, unit: string): string => (unit === 'ns' ? duration(value) : one(decimal(unit), value));
export const energy = (value: number): string => one(joules, value);
/** Without an interval where none is known: low and high are then the value. */
export const energyRange = (value: Estimate): string => (value.low < value.high ? ranged(joules, value) : one(joules, value.value));
/** "480 W [470, 490]", as energyRange. */
export const numberRange = (value: Estimate, unit = ''): string =>
  value.low < value.high ? `${plain(value.value)}${unit} [${plain(value.low)}, ${plain(value.high)}]` : `${plain(value.value)}${unit}`;
export const ratioRange = (ratio: Estimate): string => {
  const digits = digitsFor(ratio);
  return `${times(ratio.value, digits)} [${plain(ratio.low, digits)}, ${plain(ratio.high, digits)}]`;
};

const goalScales = (goal: string): Scale[] => (goal === 'throughput' ? decimal('items/s') : goal === 'memory' ? binary : time);

/** What the goal of a workload compares: time, items per second or bytes. */
export const figure = (goal: string, value: number): string => one(goalScales(goal), value);
export const figureRange = (goal: string, estimate: Estimate): string => ranged(goalScales(goal), estimate);

/** "$0.0000123": prices of an item are often far below a cent. */
export function dollars(value: number): string {
  if (value === 0) return '$0';
  return value >= 0.01 ? `$${plain(value, 3)}` : `$${value.toExponential(2).replace('e-', '×10⁻').replace(/⁻(\d+)$/, (_, power: string) => `⁻${[...power].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')}`)}`;
}

/** An axis' unit that keeps its ticks short, and by what to divide. */
export function axisScale(kind: 'time' | 'bytes', largest: number): { unit: string; size: number } {
  return scaleOf(kind === 'time' ? time : binary, largest);
}
