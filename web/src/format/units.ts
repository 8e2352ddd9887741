// Values with their units. Every unit of the dashboard is written here.
import { general, one, ranged, scaleOf, type Scale } from './figure';
import { plain, type Estimate } from './number';

export { ratioRange } from './figure';

const time: Scale[] = [
  { unit: 's', size: 1e9 },
  { unit: 'ms', size: 1e6 },
  { unit: 'µs', size: 1e3 },
  { unit: 'ns', size: 1 },
];
const binary: Scale[] = ['PiB', 'TiB', 'GiB', 'MiB', 'KiB', 'B'].map((unit, at) => ({ unit, size: 1024 ** (5 - at) }));
const decimal = (unit: string): Scale[] => ['P', 'T', 'G', 'M', 'k', ''].map((prefix, at) => ({ unit: `${prefix}${unit}`, size: 1000 ** (5 - at) }));
const joules: Scale[] = [
  { unit: 'J', size: 1 },
  { unit: 'mJ', size: 1e-3 },
  { unit: 'µJ', size: 1e-6 },
  { unit: 'nJ', size: 1e-9 },
];

export const duration = (ns: number): string => one(time, ns);
export const durationRange = (ns: Estimate): string => ranged(time, ns);
export const bytes = (value: number): string => one(binary, value, true);
export const rate = (value: number, unit: string): string => (unit === 'ns' ? duration(value) : one(decimal(unit), value));
export const energy = (value: number): string => one(joules, value);
/** Without an interval where none is known: low and high are then the value. */
export const energyRange = (value: Estimate): string => (value.low < value.high ? ranged(joules, value) : one(joules, value.value));
/** "480 W [470, 490]", as energyRange. */
export const numberRange = (value: Estimate, unit = ''): string =>
  value.low < value.high ? `${plain(value.value)}${unit} [${plain(value.low)}, ${plain(value.high)}]` : `${plain(value.value)}${unit}`;

const goalScales = (goal: string): Scale[] => (goal === 'throughput' ? decimal('items/s') : goal === 'memory' ? binary : time);

/** What the goal of a workload compares: time, items per second or bytes. */
export const figure = (goal: string, value: number): string => one(goalScales(goal), value);
export const figureRange = (goal: string, estimate: Estimate): string => ranged(goalScales(goal), estimate);

const superscript = (power: string): string => [...power].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
const amount = (value: number): string => general(value, 4).replace(/e-0?(\d+)$/, (_, power: string) => `×10⁻${superscript(power)}`);
/** "$1.19", "$0.0001187 [0.0001175, 0.0001199]": what an item costs is often far below a cent. */
export const dollars = (price: Estimate): string => `$${amount(price.value)} [${amount(price.low)}, ${amount(price.high)}]`;
/** "$4.10": the price of an hour. */
export const hourly = (value: number): string => `$${value >= 0.01 || value === 0 ? value.toFixed(2) : amount(value)}`;

/** An axis' unit that keeps its ticks short, and by what to divide. */
export function axisScale(kind: 'time' | 'bytes', largest: number): { unit: string; size: number } {
  return scaleOf(kind === 'time' ? time : binary, largest);
}
