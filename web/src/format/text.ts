// Dates, names and sizes as the reader expects them.

/** "2026-11-16 02:59" in the reader's time zone; what cannot be read stays as it is. */
export function moment(iso: string | null | undefined): string {
  if (!iso) return 'unknown';
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** "ch07" of "ch07/transpose". */
export const chapterOf = (workload: string): string => workload.split('/')[0] ?? workload;

/** "clock_steady" as words. */
export const words = (name: string): string => name.replaceAll('_', ' ');

/** A link to a workload's page; its id may hold anything. */
export function workloadUrl(id: string, query: Record<string, string | number | undefined> = {}): string {
  const path = `/workloads/${id.split('/').map(encodeURIComponent).join('/')}`;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') search.set(name, String(value));
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

export const plural = (many: number, one: string, more = `${one}s`): string => `${many.toLocaleString('en')} ${many === 1 ? one : more}`;
