import assert from 'node:assert/strict';
import { test } from 'node:test';
import { after, axisOf, bounded, narrowing, nothingYet, shareOf, type Looked, type Progress } from './progress';

const empty: Progress = {
  event: '', run: 'r1', cell: 1, cells: 2, workload: 'ch07/transpose', parameters: 'n=64', device: 'cpu', share: 0, what: '', rounds: 0, look: 0, looks: 5,
  precision: 0.01, baseline: 'naive', variants: [], status: '', validity: '', exit_code: null,
};
const variant = (name: string, low: number, value: number, high: number): Looked => ({ name, rung: 'step', skipped: '', ratio: { value, low, high }, validity: null });
const fold = (...events: Partial<Progress>[]) => events.reduce((state, event) => after(state, { ...empty, ...event }), nothingYet);
const looks = [
  { event: 'run' },
  { event: 'cell' },
  { event: 'rounds', what: '12 rounds' },
  { event: 'look', look: 1, rounds: 24, variants: [variant('tiled', 1.6, 2, 2.4)] },
  { event: 'look', look: 2, rounds: 48, variants: [variant('tiled', 1.9, 2, 2.1)] },
];

test('rounds keep what the looks showed, and every look narrows what came before', () => {
  const state = fold(...looks, { event: 'rounds', what: '50 rounds' });
  assert.equal(state.now?.what, '50 rounds');
  assert.equal(state.current?.last.what, '50 rounds');
  assert.deepEqual(state.current?.variants.map(({ name }) => name), ['tiled']);
  assert.equal(narrowing(state.current?.seen.get('tiled')), '±20% → ±5.0%');
  assert.equal(narrowing(state.current?.seen.get('other')), '');
});

test('what is told again after the connection was lost shows the same', () => {
  const once = fold(...looks);
  assert.deepEqual(fold(...looks, ...looks), once);
  assert.deepEqual(fold(...looks, looks[3]!, looks[4]!), once);
});

test('a cell that is measured once more begins with its first look', () => {
  assert.equal(narrowing(fold(...looks, { event: 'look', look: 1, variants: [variant('tiled', 1, 2, 3)] }).current?.seen.get('tiled')), '±50%');
});

test('a finished cell moves below with its looks, the newest first, and each once', () => {
  const done = { event: 'cell_finished', validity: 'valid', status: 'precise', variants: [{ ...variant('tiled', 1.9, 2, 2.1), validity: 'valid' as const }] };
  const state = fold(...looks, done, done, { event: 'cell', cell: 2 }, { ...done, cell: 2 });
  assert.equal(state.current, undefined);
  assert.deepEqual(state.finished.map(({ last }) => last.cell), [2, 1]);
  assert.equal(state.finished[1]?.variants[0]?.validity, 'valid');
  assert.equal(fold(...looks, done).finished[0]?.seen.get('tiled')?.length, 2);
  assert.deepEqual(fold(...looks, done, { event: 'run_finished', share: 1 }).finished.length, 1);
  assert.deepEqual(fold(...looks, done, { event: 'run', run: 'r2' }).finished, []);
});

test('joining in the middle of a cell shows it, and what is not known is left alone', () => {
  assert.deepEqual(fold({ event: 'rounds', what: '12 rounds' }).current?.variants, []);
  assert.equal(fold(...looks, { event: 'of_a_later_version' }).current?.last.look, 2);
});

test('one axis holds every look of every variant, and 1', () => {
  const state = fold(...looks, { event: 'look', look: 3, variants: [variant('tiled', 1.95, 2, 2.05), variant('skewed', 3, 4, 5)] });
  assert.deepEqual(axisOf(state.current!), { from: 1, to: 5 });
  assert.deepEqual(axisOf(fold({ event: 'cell' }).current!), { from: 1, to: 2 });
});

test('ends that are no numbers are not drawn', () => {
  assert.equal(bounded(null), false);
  assert.equal(bounded({ value: 2, low: 1, high: 'inf' as unknown as number }), false);
  assert.equal(bounded({ value: 2, low: 0, high: 3 }), false);
  assert.equal(bounded({ value: 2, low: 1, high: 3 }), true);
  assert.equal(shareOf({ ...empty, share: 'inf' as unknown as number }), 0);
  assert.equal(shareOf({ ...empty, share: 1.2 }), 1);
  assert.equal(shareOf(undefined), 0);
});
