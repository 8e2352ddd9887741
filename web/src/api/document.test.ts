import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TeamScaling } from './analyses';
import { parseDocument } from './document';
import { namedRows } from './team_rows';

test('infinities of estimates are numbers, words stay words', () => {
  const read = parseDocument('{"limit":{"value":40,"low":"nan","high":"inf"},"ratio":{"ratio":1,"low":"-inf","high":2},"facts":[{"name":"inf","value":"inf"}]}');
  assert.deepEqual(read, { limit: { value: 40, low: Number.NaN, high: Number.POSITIVE_INFINITY }, ratio: { ratio: 1, low: Number.NEGATIVE_INFINITY, high: 2 }, facts: [{ name: 'inf', value: 'inf' }] });
  assert.deepEqual(parseDocument('{"a":{"low":1,"high":2}}'), { a: { low: 1, high: 2 } });
});

test('every row of a team has a name of its own', () => {
  const row = (variant: string, work?: number) => ({ variant, work_per_member: work, work_unit: 'items' }) as TeamScaling;
  const names = (...rows: TeamScaling[]) => namedRows(rows).map(({ name }) => name);
  assert.deepEqual(names(row('a'), row('b', 64)), ['a', 'b']);
  assert.deepEqual(names(row('a', 64), row('a', 128)), ['a, 64 items', 'a, 128 items']);
  assert.deepEqual(names(row('a'), row('a'), row('a', 1e9), row('a', 1e9)), ['a', 'a (2)', 'a, 1G items', 'a, 1G items (2)']);
});
