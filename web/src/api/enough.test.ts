import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testedOf, tooFew } from './enough';
import type { HistoryDocument } from './types';

const history = (series: number, tested: number, points: number) => ({ counts: { series, tested, points_to_test: 10, points }, series: [] }) as unknown as HistoryDocument;

test('the server says in how many series it looked for a change', () => {
  assert.equal(tooFew(history(3, 0, 30)), true, 'ten each way on average, and yet none of the series may have ten');
  assert.equal(tooFew(history(4, 1, 13)), false, 'one has ten');
});

test('no series at all is another sentence', () => {
  assert.equal(tooFew(history(0, 0, 0)), false);
});

test('where some were not tested, what is said is said of the others', () => {
  assert.equal(testedOf(history(4, 4, 45)), '4 series of 45 results');
  assert.equal(testedOf(history(51, 3, 120)), 'the 3 of 51 series that have 10 results');
});
