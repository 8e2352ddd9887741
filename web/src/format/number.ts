// Counts and plain numbers as text. What was measured is written by figure.ts.
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

/** "1,234,567", "0.0123", "12.3": `digits` significant ones, never an exponent between 1e-4 and 1e15. */
export function plain(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '−∞' : 'unknown';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e15) return value.toExponential(Math.max(0, digits - 1)).replace('e+', 'e').replace('-', '−');
  // Rounded first: 0.9999 with three digits is 1.00, not 1.000.
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(Number(size.toPrecision(digits)))));
  const text = value.toFixed(Math.min(places, 12));
  const [whole = '', part] = text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',').replace('-', '−');
  return part === undefined ? grouped : `${grouped}.${part}`;
}

/** A whole number with its thousands set apart. */
export const count = (value: number): string => Math.round(value).toLocaleString('en');

/** A number on an axis: no zeros behind the last digit, thousands and millions as k, M and G. */
export function tick(value: number): string {
  const [size, unit] = Math.abs(value) >= 1e9 ? [1e9, 'G'] : Math.abs(value) >= 1e6 ? [1e6, 'M'] : Math.abs(value) >= 1e4 ? [1e3, 'k'] : [1, ''];
  const text = plain(value / size, 4);
  return (text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text) + unit;
}
