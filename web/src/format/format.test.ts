import assert from 'node:assert/strict';
import { test } from 'node:test';
import { direction, growth, levels } from './change';
import { general, percent, times } from './figure';
import { count, plain, tick } from './number';
import { chapterOf, moment, plural, workloadUrl } from './text';
import { bytes, dollars, duration, durationRange, energy, figure, figureRange, hourly, rate, ratioRange } from './units';

test('plain numbers', () => {
  assert.equal(plain(0), '0');
  assert.equal(plain(1234567, 3), '1,234,567');
  assert.equal(plain(12.345), '12.3');
  assert.equal(plain(0.012345, 2), '0.012');
  assert.equal(plain(-12.345), '−12.3');
  assert.equal(plain(1e-7, 2), '1.0e−7');
  assert.equal(plain(Number.NaN), 'unknown');
  assert.equal(plain(Number.POSITIVE_INFINITY), '∞');
  assert.equal(count(1234567), '1,234,567');
  assert.equal(count(15), '15');
  assert.equal(percent(41.2), '41%');
  assert.equal(percent(100), '100%');
  assert.equal(times(15.34), '15.3x');
});

test('ticks are short', () => {
  assert.equal(tick(20), '20');
  assert.equal(tick(23.5), '23.5');
  assert.equal(tick(0.04), '0.04');
  assert.equal(tick(65536), '65.54k');
  assert.equal(tick(1e6), '1M');
});

test('values with units', () => {
  assert.equal(duration(1_630_000), '1.63 ms');
  assert.equal(duration(999.9), '1.00 µs');
  assert.equal(durationRange({ value: 1.63e6, low: 1.57e6, high: 1.7e6 }), '1.63 ms [1.57, 1.70]');
  assert.equal(ratioRange({ value: 15.34, low: 14.42, high: 16.2 }), '15.3x [14.4, 16.2]');
  assert.equal(bytes(8192), '8.00 KiB');
  assert.equal(bytes(12), '12 B');
  assert.equal(rate(223e9, 'B/s'), '223 GB/s');
  assert.equal(rate(85, 'ns'), '85.0 ns');
  assert.equal(energy(0.0012), '1.20 mJ');
  assert.equal(figureRange('throughput', { value: 2e6, low: 1.99e6, high: 2.01e6 }), '2.000 Mitems/s [1.990, 2.010]');
  assert.equal(hourly(4.1), '$4.10');
  assert.equal(hourly(0.001), '$0.001');
  assert.equal(dollars({ value: 0.0001187, low: 0.00011752, high: 0.0001199 }), '$0.0001187 [0.0001175, 0.0001199]');
  assert.equal(dollars({ value: 0.0000123, low: 0.000012, high: 1.25e-12 }), '$1.23×10⁻⁵ [1.2×10⁻⁵, 1.25×10⁻¹²]');
  assert.equal(general(0.5, 3), '0.5');
  assert.equal(general(33.44, 3), '33.4');
  assert.equal(general(1234567, 3), '1.23e+06');
  assert.equal(general(Number.POSITIVE_INFINITY, 3), '∞');
});

test('changes of level say what the figure did', () => {
  assert.equal(levels('speed', 1000, 1500), '1.00 µs → 1.50 µs, +50%');
  assert.equal(levels('speed', 1500, 1000), '1.50 µs → 1.00 µs, −33%');
  assert.equal(levels('throughput', 2e6, 1e6), '2.00 Mitems/s → 1.00 Mitems/s, −50%');
  assert.equal(direction(1000 / 1500), 'worse');
  assert.equal(direction(1.5), 'better');
  assert.equal(growth('speed', 1000 / 1500), '+50%');
  assert.equal(growth('memory', 2), '−50%');
  assert.equal(growth('throughput', 0.5), '−50%');
  assert.equal(figure('memory', 8192), '8.00 KiB');
});

test('names and dates', () => {
  assert.equal(chapterOf('ch07/transpose'), 'ch07');
  assert.equal(plural(1, 'run'), '1 run');
  assert.equal(plural(2, 'series', 'series'), '2 series');
  assert.equal(moment('nonsense'), 'nonsense');
  assert.equal(moment(null), 'unknown');
  assert.match(moment('2026-11-16T02:59:50Z'), /^2026-11-1[567] \d\d:\d\d$/);
  assert.equal(workloadUrl('a/<b>?c', { run: 'x y' }), '/workloads/a/%3Cb%3E%3Fc?run=x+y');
});
