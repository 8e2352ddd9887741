// How the server's own run converges: its `progress` events folded into what a page shows of them. No clock, no page.
import type { Estimate, Validity } from '../api/types';
import { percent } from '../format/figure';

/** A variant as it stood when the data were looked at; its validity comes with the end of the cell. */
export interface Looked {
  name: string;
  rung: string;
  skipped: string;
  ratio: Estimate | null;
  validity: Validity | null;
}
/** One line of `aisp run --events`. */
export interface Progress {
  event: string;
  run: string;
  cell: number;
  cells: number;
  workload: string;
  parameters: string;
  device: string;
  share: number;
  what: string;
  rounds: number;
  look: number;
  looks: number;
  precision: number;
  baseline: string;
  variants: Looked[];
  status: string;
  validity: string;
  exit_code: number | null;
}
/** A cell: what was said of it last, its variants as they stood at the last look, and their ratios at every look. */
export interface WatchedCell {
  last: Progress;
  variants: Looked[];
  seen: Map<string, Estimate[]>;
}
export interface Converging {
  now?: Progress;
  current?: WatchedCell;
  finished: WatchedCell[];
}

export const nothingYet: Converging = { finished: [] };

/** Whether both ends can be drawn; what is not finite comes as text. */
export const bounded = (ratio: Estimate | null): ratio is Estimate =>
  ratio !== null && [ratio.value, ratio.low, ratio.high].every((each) => typeof each === 'number' && Number.isFinite(each) && each > 0);

function looked({ current }: Converging, event: Progress): WatchedCell {
  const seen = new Map(current?.seen);
  for (const { name, ratio } of event.variants) {
    // A cell that is measured once more begins again with its first look.
    if (bounded(ratio)) seen.set(name, [...(seen.get(name) ?? []).slice(0, event.look - 1), ratio]);
  }
  return { last: event, variants: event.variants, seen };
}

/** What is known after one more event. */
export function after(state: Converging, event: Progress): Converging {
  switch (event.event) {
    case 'run':
      return { now: event, finished: [] };
    case 'cell':
      return { ...state, now: event, current: { last: event, variants: [], seen: new Map() } };
    case 'rounds':
      return { ...state, now: event, current: { variants: [], seen: new Map(), ...state.current, last: event } };
    case 'look':
      return { ...state, now: event, current: looked(state, event) };
    case 'cell_finished': {
      const cell = { last: event, variants: event.variants, seen: state.current?.seen ?? new Map() };
      return { now: event, finished: [cell, ...state.finished.filter(({ last }) => last.cell !== event.cell)] };
    }
    case 'run_finished':
      return { now: event, finished: state.finished };
    default:
      return state;
  }
}

/** One axis for all variants of a cell and all its looks, so that intervals are seen to narrow; it holds 1. */
export function axisOf({ variants, seen }: WatchedCell): { from: number; to: number } {
  const all = [...variants.map(({ ratio }) => ratio), ...[...seen.values()].flat()].filter(bounded);
  const from = Math.min(1, ...all.map(({ low }) => low));
  const to = Math.max(1, ...all.map(({ high }) => high));
  return from < to ? { from, to } : { from: 1, to: 2 };
}

/** "±16% → ±4.1%": half of the interval's width, of the ratio, at every look. */
export const narrowing = (ratios: Estimate[] = []): string => ratios.map(({ value, low, high }) => `±${percent((50 * (high - low)) / value)}`).join(' → ');

/** The share of the whole run, from 0 to 1. */
export const shareOf = (now: Progress | undefined): number => (typeof now?.share === 'number' ? Math.min(1, Math.max(0, now.share)) : 0);
