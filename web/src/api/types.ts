// The documents of the server, as far as the dashboard reads them. Unknown is null, never a number.
import type { Estimate } from '../format/number';

export type { Estimate };
export type * from './analyses';
export type * from './history';
export type Validity = 'valid' | 'unproven' | 'invalid' | 'failed';

export interface Where {
  hardware: string;
  workload: string;
  parameters: string;
  device: string;
  cache: string;
}
export interface Answer {
  cannot_tell: boolean;
  needs: string;
}
export interface LeftOut {
  variant: string;
  why: string;
}

export interface VariantInfo {
  name: string;
  note: string;
  rung: string;
}
export interface WorkloadInfo {
  id: string;
  title: string;
  idea: string;
  source: string;
  shape: string;
  bound: string;
  goal: string;
  device: string;
  tags: string[];
  axes: { name: string; values: number[]; quick: number[]; small: number }[];
  variants: VariantInfo[];
  plugin: string;
}
export interface Figure extends Where {
  variant: string;
  seq: number;
  run: string;
  finished: string;
  newest: boolean;
  goal: string;
  bound: string;
  rung: string;
  baseline: boolean;
  validity: Validity;
  time_ns: Estimate | null;
  figure: Estimate | null;
  gain: Estimate | null;
  against: string;
  outcome: string | null;
  peak_bytes: number | null;
  joules: number | null;
  joules_uncertainty: number | null;
  watts: number | null;
  worst_error: number | null;
  percent_of_ceiling: number | null;
  ceiling: string;
  traffic_bytes: number | null;
  bytes: number;
  flops: number;
  items: number;
  cell: number | null;
  memory_savings_pct: number | null;
}
export interface WorkloadDocument {
  id: string;
  workloads: WorkloadInfo[];
  source: { path: string; text: string }[];
  results: Figure[];
}

export interface RunLine {
  id: string;
  started: string;
  status: string;
  command: string;
  hardware: string;
  cells: number;
  invalid: number | null;
  rejected: number | null;
  exit_code: number | null;
}
export interface Samples {
  attempt: number[];
  round: number[];
  pass: number[];
  calls: number[];
  ns: number[];
}
export interface Ratio {
  against: string;
  ratio: number;
  low: number;
  high: number;
  confidence: number;
  rounds: number;
  method: string;
  outcome: string;
  small: boolean;
}
export interface Finding {
  guard: string;
  level: string;
  because: string;
  hint: string;
  waived: boolean;
}
export interface VariantResult {
  name: string;
  rung: string;
  note: string;
  skipped: string;
  samples?: Samples;
  time_ns: Estimate | null;
  figure: Estimate | null;
  speedup: Ratio | null;
  percent_of_ceiling: number | null;
  ceiling: string;
  of_paired?: Ratio | null;
  memory: { peak_bytes: number | null; savings_percent: number | null } | null;
  metrics: { name: string; value: number; unit?: string }[];
  evidence: Record<string, unknown>;
  findings: Finding[];
  validity: Validity;
}
export interface Cell {
  workload: string;
  title: string;
  parameters: string;
  device: string;
  goal: string;
  bound: string;
  cache: string;
  worker: string;
  work_bytes: number;
  work_flops: number;
  work_items: number;
  started: string;
  finished: string;
  stopped: string;
  attempts: { attempt: number; status: string; detail: string; rounds: number }[];
  rounds?: { attempt: number; round: number; discarded: string }[];
  aa: Ratio | null;
  aa_variant: string;
  variants: VariantResult[];
  validity: Validity;
  notes: string[];
}
export interface RunDocument {
  id: string;
  started: string;
  finished: string;
  status: string;
  /** Of the run as a whole; a server of an older version does not say. */
  exit_code?: number | null;
  summary?: string;
  aa?: string;
  /** What else ran when it began: empty where nothing worth telling did, null where nobody knows. */
  busy?: string | null;
  manifest: {
    version: string;
    command: string;
    hardware: string;
    facts: { name: string; value: string | null }[];
    config: Record<string, unknown>;
    config_hash: string;
  };
  cells: Cell[];
}
export interface CellDocument {
  run: string;
  index: number;
  cells: number;
  hardware: string;
  cell: Cell;
}

export interface Place {
  variant: string;
  /** Within its contest, by rounds: null where these were not read. */
  rank: number | null;
  tied: boolean | null;
  gain: Estimate | null;
  time_ns: Estimate | null;
  run: string;
  newest: boolean;
}
export interface Leader {
  where: Where;
  goal: string;
  /** Among the best of all contests, by their gains. */
  rank: number;
  tied: boolean;
  place: Place;
}
export interface Summary {
  store: { runs: number; cells: number; last_event: number };
  workloads: { known: number; measured: number };
  hardware: string[];
  verdicts: Record<Validity, number>;
  leaders: Leader[];
  rejected: (Omit<Where, 'cache'> & { variant: string; validity: Validity; run: string; finished: string; reasons: Pick<Finding, 'guard' | 'because' | 'hint'>[] })[];
  recent: RunLine[];
}

export interface Comparison {
  what: string;
  validity: Validity;
  verdict: string;
  ratio: Ratio | null;
  claimed: number | null;
  reason: string;
  note: string;
}
export interface CompareDocument {
  first: string;
  second: string;
  comparisons: Comparison[];
  left_out: string[];
}

export interface Guard {
  guard: string;
  question: string;
  required_from: string;
  issues: number[];
}
export interface Issue {
  issue: number;
  title: string;
  category: string;
  meaning: string;
  incident: string;
  defence: string;
  covered: string;
  guards: string[];
}
export interface Guards {
  guards: Guard[];
  issues: Issue[];
}
export interface Ceiling {
  name: string;
  level: string;
  threads: number;
  value: number;
  unit: string;
  probe: string;
  working_set_bytes: number;
}
export interface Ceilings {
  hardware: string;
  date: string;
  entries: Ceiling[];
}
export interface Machine {
  hardware: string;
  parts: Record<string, { name: string; value: string | null }[]>;
  findings: { subject: string; status: string; finding: string; action: string }[];
  ceilings: Ceilings[];
}
export interface Job {
  job: { id: number; state: string; command: string[]; started: string; finished: string | null; exit_code: number | null; lines: string[] } | null;
  allowed: boolean;
}
