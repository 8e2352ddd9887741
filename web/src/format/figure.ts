// Figures as the command line writes them: aisp/report/format.cpp says why, tests/golden/figures.json holds both to the
// same texts. A unit that keeps one to three digits before the point, and no digit that the interval does not support.
import type { Estimate } from './number';

export interface Scale {
  unit: string;
  size: number;
}

const timeDigits = 4; // beyond four, a time differs between two runs of the same binary
const ratioDigits = 5; // paired ratios are tighter
const mostDecimals = 6;
const roundsUp = 0.000217; // log10(1.0005)
const largestPlain = 1e7; // beyond it digits only fill the column
export const unknownText = '–';

/** The largest unit that keeps at least 1 before the point; 999.6 already counts as the next one. Largest first. */
export function scaleOf(scales: Scale[], value: number): Scale {
  const size = Math.abs(value);
  return scales.find((scale) => size >= scale.size * 0.9995) ?? scales[scales.length - 1]!;
}

/** As C++ rounds: what lies exactly between two numbers goes to the even one, where toFixed() goes up. */
function rounded(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  if (!/^50*$/.test(value.toFixed(decimals + 40).split('.')[1]!.slice(decimals))) return text;
  const even = (2 * Math.round(Math.trunc(value * 10 ** decimals) / 2)) / 10 ** decimals;
  return even.toFixed(decimals);
}

function fixed(value: number, decimals: number): string {
  if (Math.abs(value) >= largestPlain) return general(value, 3);
  if (decimals >= 0) return rounded(value, Math.min(decimals, mostDecimals));
  const step = 10 ** -decimals;
  return (Math.round(value / step) * step).toFixed(0);
}

const digitsBeforePoint = (value: number): number => (value === 0 ? 1 : Math.floor(Math.log10(Math.abs(value)) + roundsUp) + 1);

/** So many digits, those before the point at least: "1.23", "12.0", "1234". */
export const significant = (value: number, digits: number): string => fixed(value, Math.max(0, digits - digitsBeforePoint(value)));

/** C's %g: "0.4", "1.2e+09"; no zeros behind the last digit. */
export function general(value: number, digits: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '−∞' : unknownText;
  if (value === 0) return '0';
  const [mantissa = '', power = '0'] = value.toExponential(digits - 1).split('e');
  const shortened = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  const exponent = Number(power);
  if (exponent < -4 || exponent >= digits) return `${shortened(mantissa)}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  return shortened(value.toFixed(digits - 1 - exponent));
}

/** Digits after the point that a distance to an end supports: one digit of it, two where it begins with 1. */
function supportedDecimals(value: number, distance: number, most: number): number {
  const magnitude = Math.floor(Math.log10(distance));
  const decimals = -magnitude + (distance < 2 * 10 ** magnitude ? 1 : 0);
  return Math.min(decimals, Math.max(0, most - digitsBeforePoint(value)));
}

/** By the nearer end that is not the value itself; three significant digits where there is none. */
function decimalsOf({ value, low, high }: Estimate, most: number): number {
  const distances = [low, high].filter((end) => Number.isFinite(end) && end > 0 && end !== value).map((end) => Math.abs(value - end));
  if (distances.length === 0) return Math.max(0, 3 - digitsBeforePoint(value));
  let decimals = supportedDecimals(value, Math.min(...distances), most);
  // A lower end above zero is never written as zero.
  while (low > 0 && decimals < mostDecimals && Number(fixed(low, decimals)) === 0) ++decimals;
  return decimals;
}

function brackets({ value, low, high }: Estimate, decimals: number): string {
  if (low === high && low === value) return '';
  const text = (end: number) => (Number.isFinite(end) ? fixed(end, decimals) : '?');
  if (!Number.isFinite(high) && !(low > 0)) return ' (no interval)';
  return ` [${text(low)}, ${text(high)}]`;
}

const isFigure = (value: number): boolean => Number.isFinite(value) && value >= 0;
const isRatio = (value: number): boolean => Number.isFinite(value) && value > 0;

/** "1.63 ms", three significant digits. */
export function one(scales: Scale[], value: number, wholeBase = false): string {
  if (!isFigure(value)) return unknownText;
  const { unit, size } = scaleOf(scales, value);
  return `${wholeBase && size === 1 ? fixed(value, 0) : significant(value / size, 3)} ${unit}`;
}

/** "1.63 ms [1.57, 1.70]"; without brackets where the interval is a point. */
export function ranged(scales: Scale[], estimate: Estimate): string {
  if (!isFigure(estimate.value)) return unknownText;
  const { unit, size } = scaleOf(scales, estimate.value);
  const shown = { value: estimate.value / size, low: estimate.low / size, high: estimate.high / size };
  const decimals = decimalsOf(shown, timeDigits);
  return `${fixed(shown.value, decimals)} ${unit}${brackets(shown, decimals)}`;
}

/** "1.52x", three significant digits. */
export const times = (ratio: number): string => (isRatio(ratio) ? `${significant(ratio, 3)}x` : unknownText);

/** "1.52x [1.49, 1.55]". */
export function ratioRange(ratio: Estimate): string {
  if (!isRatio(ratio.value)) return unknownText;
  const decimals = decimalsOf(ratio, ratioDigits);
  return `${fixed(ratio.value, decimals)}x${brackets(ratio, decimals)}`;
}

/** "87%", "8.7%", "0.42%". */
export function percent(value: number): string {
  if (!Number.isFinite(value)) return unknownText;
  const size = Math.abs(value);
  const text = size > 0 && size < 0.01 ? (value > 0 ? '<0.01' : '>−0.01') : size > 9999 ? (value > 0 ? '>9999' : '<−9999') : significant(value, size >= 0.0995 ? 2 : 1).replace('-', '−');
  return `${text}%`;
}

/** A plain figure: "0.932", "18400", "1.2e+09". */
export function figureNumber(value: number): string {
  if (!Number.isFinite(value)) return unknownText;
  return Number.isInteger(value) && Math.abs(value) < 1e9 ? fixed(value, 0) : general(value, 4);
}
