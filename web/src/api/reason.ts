// Why a result was rejected. The summary names the row; its cell holds the findings, and only that cell is asked for.
import { get, idPath } from './client';
import type { CellDocument, Finding, RunDocument, Summary, VariantResult, WorkloadDocument } from './types';

export type Reason = Pick<Finding, 'guard' | 'because' | 'hint'>;

export const rejections = (variant: VariantResult | undefined): Reason[] =>
  (variant?.findings ?? []).filter((finding) => finding.level === 'reject' && !finding.waived);

export async function reasonOf(row: Summary['rejected'][number]): Promise<Reason[]> {
  if (row.because) return [{ guard: row.guard ?? '', because: row.because, hint: '' }];
  const known = await get<WorkloadDocument>(`workloads/${idPath(row.workload)}`).catch(() => undefined);
  const figure = known?.results.find((each) => each.run === row.run && each.variant === row.variant && each.parameters === row.parameters && each.device === row.device);
  if (figure && figure.cell !== null) {
    const { cell } = await get<CellDocument>(`runs/${encodeURIComponent(row.run)}/cells/${figure.cell}`);
    return rejections(cell.variants.find((variant) => variant.name === row.variant));
  }
  const run = await get<RunDocument>(`runs/${encodeURIComponent(row.run)}`, { samples: false });
  const cell = run.cells.find((each) => each.workload === row.workload && each.parameters === row.parameters && each.device === row.device);
  return rejections(cell?.variants.find((variant) => variant.name === row.variant));
}
