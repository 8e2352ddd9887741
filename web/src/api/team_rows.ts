// Rows of one drawing of teams, each with a name of its own: one variant has several rows where problems grow with the
// team from different sizes.
import { tick } from '../format/number';
import type { TeamScaling } from './analyses';

export function namedRows(rows: TeamScaling[]): { name: string; row: TeamScaling }[] {
  const used = new Map<string, number>();
  return rows.map((row) => {
    const alone = rows.filter(({ variant }) => variant === row.variant).length === 1;
    const work = row.work_per_member;
    const name = alone || work === undefined || work === null ? row.variant : `${row.variant}, ${tick(work)} ${row.work_unit ?? ''}`.trim();
    const before = used.get(name) ?? 0;
    used.set(name, before + 1);
    return { name: before ? `${name} (${before + 1})` : name, row };
  });
}
