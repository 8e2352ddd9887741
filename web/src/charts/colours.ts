// Colours of series, by name; the names are variables of tokens.css and follow the theme.
export const series = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => `var(--series-${at})`);
export const muted = 'var(--muted)';
export const line = 'var(--line)';
export const bad = 'var(--bad)';
export const accent = 'var(--accent)';

/** The same name has the same colour in all drawings of a page. */
export function colourOf(names: string[]): (name: string) => string {
  const at = new Map([...new Set(names)].map((name, index) => [name, series[index % series.length]!]));
  return (name) => at.get(name) ?? muted;
}
