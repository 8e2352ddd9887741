// Why results were rejected: the summary's rows, cell by cell.
import type { Finding, Summary, VariantResult } from './types';

export type Reason = Pick<Finding, 'guard' | 'because' | 'hint'>;
export type RejectedRow = Summary['rejected'][number];
/** Rejected variants of one cell. */
export interface RejectedCell {
  row: RejectedRow;
  rows: RejectedRow[];
}

export const rejections = (variant: VariantResult | undefined): Reason[] =>
  (variant?.findings ?? []).filter((finding) => finding.level === 'reject' && !finding.waived);

export function byCell(rows: RejectedRow[]): RejectedCell[] {
  const cells = new Map<string, RejectedCell>();
  for (const row of rows) {
    const key = JSON.stringify([row.run, row.workload, row.parameters, row.device]);
    const known = cells.get(key);
    if (known) known.rows.push(row);
    else cells.set(key, { row, rows: [row] });
  }
  return [...cells.values()];
}

/** One line for each guard that rejected, with the variants it rejected and what it said of the first. */
export function reasonsOf({ rows }: RejectedCell): (Reason & { variants: string[] })[] {
  const reasons = new Map<string, Reason & { variants: string[] }>();
  for (const { variant, reasons: given } of rows) {
    for (const reason of given) {
      const known = reasons.get(reason.guard);
      if (known) known.variants.push(variant);
      else reasons.set(reason.guard, { ...reason, variants: [variant] });
    }
  }
  return [...reasons.values()];
}
