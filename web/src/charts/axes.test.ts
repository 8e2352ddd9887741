import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelRows, shortened, steps, valueAxis } from './axes';

test('steps of a logarithmic axis lie within its ends and are few', () => {
  assert.deepEqual(steps(1, 100, 7), [1, 2, 5, 10, 20, 50, 100]);
  assert.deepEqual(steps(1, 1e4, 5), [1, 10, 100, 1000, 10000]);
  assert.ok(steps(1e-9, 1e12, 7).length <= 8);
});

test('an axis is logarithmic only where values lie far apart, and names its unit', () => {
  assert.equal(valueAxis('time', 'ms', [1, 2], 800).type, 'linear');
  assert.equal(valueAxis('time', 'ms', [1, 200], 800).type, 'log');
  assert.match(String(valueAxis('time', 'ms', [1, 200], 800).label), /\(ms, log scale\)/);
});

test('names fit their margin', () => {
  assert.equal(shortened('short', 100), 'short');
  assert.ok(shortened('a_very_long_name_of_a_variant', 80).endsWith('…'));
});

test('labels of neighbours are in rows of their own', () => {
  const at = (x: number) => ({ x, text: 'stream' });
  assert.deepEqual(labelRows([at(0), at(200)], 3), [0, 0]);
  assert.deepEqual(labelRows([at(20), at(0), at(10)], 3), [2, 0, 1]);
  assert.deepEqual(labelRows([at(0), at(1), at(2), at(3)], 3), [0, 1, 2, 2]);
});
