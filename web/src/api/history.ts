// What `history` answers: results of one variant over the runs, and where their level changed.
import type { Estimate } from '../format/number';

export interface HistoryChange {
  at: number;
  last_old: number;
  first_new: number;
  p_value: number;
  before: number;
  after: number;
  ratio: number;
  worse: boolean;
  recovered: boolean;
  status: string;
  alerts: boolean;
}
export interface HistorySeries {
  workload: string;
  parameters: string;
  device: string;
  cache: string;
  variant: string;
  goal: string;
  /** `run` is a place in the document's `runs`. */
  points: { run: number; time: string; value: Estimate }[];
  /** Older ones that were not sent. */
  points_before?: number;
  changes: HistoryChange[];
  drifts: { begin: number; end: number; ratio: number; small: boolean }[];
}
export interface HistoryDocument {
  search: { alpha: number; least: number; equivalence: number };
  /** In a series with fewer than `points_to_test` results no change is looked for: it is not among the `tested`. */
  counts: { series: number; tested: number; points_to_test: number; points: number; confirmed: number; suspected: number; unsettled: number };
  runs: { run: string; commit: string; programs: string[]; method: number }[];
  series: HistorySeries[];
  /** Series before `top` cut the list. */
  total?: number;
  hardware: string;
  left_out: { not_valid: number; not_listed: number };
}
