// Where the price of an hour of a machine comes from, as aisp/analysis/prices.cpp chooses it: the longest name of the table
// that the hardware's contains as a word.
import type { Cost, CostLine } from '../api/types';

function containsWord(text: string, word: string): boolean {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(^|[^A-Za-z0-9])${escaped}($|[^A-Za-z0-9])`, 'i').test(text);
}

/** "list price of H100", "your price of Xeon", "as entered". */
export function sourceOf(line: CostLine, prices: Cost['prices'], entered: boolean): string {
  if (entered) return 'as entered above';
  const known = prices.filter(({ machine }) => containsWord(line.machine, machine)).sort((a, b) => b.machine.length - a.machine.length)[0];
  if (!known) return '';
  return known.is_default ? `aisp’s list price of ${known.machine}` : `your price of ${known.machine}`;
}
