import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longest, needed, tooFew } from './enough';
import type { HistoryDocument, HistorySeries } from './types';

const series = (points: number, before?: number) => ({ points: Array.from({ length: points }, () => ({})), ...(before === undefined ? {} : { points_before: before }) }) as unknown as HistorySeries;
const history = (all: HistorySeries[], counts: { series: number; points: number }) => ({ search: { least: 5 }, counts, series: all }) as unknown as HistoryDocument;

test('ten results of one series are needed for five on either side', () => {
  assert.equal(needed(history([], { series: 0, points: 0 })), 10);
  assert.equal(tooFew(history([series(9), series(3)], { series: 2, points: 12 })), true);
  assert.equal(tooFew(history([series(10), series(3)], { series: 2, points: 13 })), false);
});

test('points that were not sent count, and series that were not listed may be long', () => {
  assert.equal(longest(history([series(1, 11)], { series: 1, points: 12 })), 12);
  assert.equal(tooFew(history([], { series: 4, points: 12 })), true, 'none of four can have more than nine');
  assert.equal(tooFew(history([], { series: 4, points: 13 })), false, 'one may have ten');
  assert.equal(tooFew(history([], { series: 0, points: 0 })), false, 'no series at all is another sentence');
});
