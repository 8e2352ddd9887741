import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CostLine } from '../api/types';
import { sourceOf } from './price_source';

const prices = [
  { machine: 'A100', dollars_per_hour: 2, is_default: true },
  { machine: 'A10', dollars_per_hour: 1, is_default: true },
  { machine: 'Xeon', dollars_per_hour: 0.12, is_default: false },
];
const on = (machine: string, entered = false) => sourceOf({ machine } as CostLine, prices, entered);

test('a price says whether it is of the list, of the reader, or was entered', () => {
  assert.equal(on('NVIDIA A100-SXM4-80GB'), 'aisp’s list price of A100');
  assert.equal(on('Intel(R) Xeon(R) 8480'), 'your price of Xeon');
  assert.equal(on('anything', true), 'as entered above');
  assert.equal(on('NVIDIA A1000'), '');
});
