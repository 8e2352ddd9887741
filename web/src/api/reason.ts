// Why results were rejected. The summary names the rows; their cell holds the findings, and only that cell is asked for.
import { get, idPath } from './client';
import type { Cell, CellDocument, Finding, RunDocument, Summary, VariantResult, WorkloadDocument } from './types';

export type Reason = Pick<Finding, 'guard' | 'because' | 'hint'>;
export type RejectedRow = Summary['rejected'][number];
/** Rejected variants of one cell, and what the guards said of them. */
export interface RejectedCell {
  row: RejectedRow;
  variants: string[];
}

export const rejections = (variant: VariantResult | undefined): Reason[] =>
  (variant?.findings ?? []).filter((finding) => finding.level === 'reject' && !finding.waived);

export function byCell(rows: RejectedRow[]): RejectedCell[] {
  const cells = new Map<string, RejectedCell>();
  for (const row of rows) {
    const key = JSON.stringify([row.run, row.workload, row.parameters, row.device]);
    const known = cells.get(key);
    if (known) known.variants.push(row.variant);
    else cells.set(key, { row, variants: [row.variant] });
  }
  return [...cells.values()];
}

async function cellOf({ row }: RejectedCell): Promise<Cell | undefined> {
  const known = await get<WorkloadDocument>(`workloads/${idPath(row.workload)}`).catch(() => undefined);
  const figure = known?.results.find((each) => each.run === row.run && each.parameters === row.parameters && each.device === row.device);
  const run = encodeURIComponent(row.run);
  if (figure && figure.cell !== null) return (await get<CellDocument>(`runs/${run}/cells/${figure.cell}`)).cell;
  const { cells } = await get<RunDocument>(`runs/${run}`, { samples: false });
  return cells.find((each) => each.workload === row.workload && each.parameters === row.parameters && each.device === row.device);
}

/** One line for each guard that rejected, with the variants it rejected and what it said of the first. */
export async function reasonsOf(rejected: RejectedCell): Promise<(Reason & { variants: string[] })[]> {
  const cell = await cellOf(rejected);
  const reasons = new Map<string, Reason & { variants: string[] }>();
  for (const name of rejected.variants) {
    for (const reason of rejections(cell?.variants.find((variant) => variant.name === name))) {
      const known = reasons.get(reason.guard);
      if (known) known.variants.push(name);
      else reasons.set(reason.guard, { ...reason, variants: [name] });
    }
  }
  return [...reasons.values()];
}
