// What `analyze` answers, asked over HTTP. Unknown is null, never a number. `total` counts lines before `top` cut them.
import type { Estimate } from '../format/number';
import type { Answer, LeftOut, Ratio, Where } from './types';

export interface ParetoMember {
  variant: string;
  anchor: boolean;
  baseline: boolean;
  time_ns: Estimate | null;
  peak_bytes: number | null;
  /** As far as its counter tells energies apart; a point where that is unknown. */
  joules: Estimate | null;
  worst_error: number | null;
  dominated_by: string[];
  /** Of the baseline's time in the same rounds, where `note` says that this was compared. */
  time_share?: Estimate | null;
}
export interface Pareto extends Answer {
  found: number;
  contests: { where: Where; respects: string[]; members: ParetoMember[]; left_out: LeftOut[]; needs: string; note?: string }[];
}
export interface TradeOffs extends Answer {
  contests: {
    where: Where;
    exchanges: { from: string; to: string; time: Estimate | null; memory: number | null; energy: Estimate | null; error: number | null }[];
    needs: string;
  }[];
}
export interface PowerRow {
  variant: string;
  anchor: boolean;
  joules_per_call: Estimate;
  joules_per_item: Estimate | null;
  items_per_joule: Estimate | null;
  /** By the counter, while calls followed each other; null where that was not recorded. */
  watts: Estimate | null;
}
export interface Power extends Answer {
  total?: number;
  contests: { where: Where; rows: PowerRow[]; left_out: LeftOut[]; needs: string }[];
}
export interface CostLine {
  hardware: string;
  variant: string;
  anchor: boolean;
  machine: string;
  dollars_per_hour: number;
  time_ns: Estimate | null;
  items: number;
  dollars_per_item: Estimate | null;
  model: string;
  needs: string;
}
export interface Cost extends Answer {
  total?: number;
  bills: { workload: string; parameters: string; item: string; lines: CostLine[] }[];
  prices: { machine: string; dollars_per_hour: number; is_default: boolean }[];
}
export interface WhatIfCandidate {
  variant: string;
  anchor: boolean;
  time_ns: Estimate | null;
  memory_bytes: number | null;
  worst_error: number | null;
  modelled: boolean;
  model: string;
  checks: { what: string; limit: number; value: Estimate | null; state: string }[];
  verdict: string;
  needs: string;
  rank: number | null;
}
export interface WhatIf extends Answer {
  found: number;
  options: { where: Where; candidates: WhatIfCandidate[]; left_out: LeftOut[]; note?: string }[];
}
export interface SizeScaling {
  where: Where;
  variant: string;
  axis: string;
  points: { at: number; time_ns: Estimate }[];
  exponent: Estimate | null;
  knee: { at: number; before: number; after: number; confidence: number } | null;
  needs: string;
}
export interface TeamScaling {
  where: Where;
  variant: string;
  axis: string;
  law: string;
  points: { members: number; time_ns: Estimate; speedup: Estimate; efficiency: number }[];
  serial: Estimate | null;
  limit: Estimate | null;
  /** Gustafson: what grows with the team, by member. */
  work_per_member?: number | null;
  work_unit?: string;
  needs: string;
}
export interface Scaling extends Answer {
  total?: number;
  sizes: SizeScaling[];
  teams: TeamScaling[];
}
export interface Advice extends Answer {
  advice: { where: Where; variant: string; rule: string; because: string; action: string; room: Estimate | null }[];
}
export interface Interaction {
  first: string;
  second: string;
  ratio: Ratio | null;
  reading: string;
  needs: string;
}
export interface Stacking {
  where: Where;
  run: string;
  finished: string;
  techniques: string[];
  baseline: string;
  subsets: { variant: string; techniques: string[]; gain: Ratio | null }[];
  interactions: Interaction[];
  marginals: { technique: string; to: string; gain: Ratio | null; needs: string }[];
  best: string;
  as_good: string[];
  left_out: LeftOut[];
  needs: string;
}
export interface StackingAnswer extends Answer {
  found: number;
  combinations: Stacking[];
  declared: string[];
}
