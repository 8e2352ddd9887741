// The same texts as aisp/report/format.cpp: tests/report/figures_test.cpp writes the file that both are held to.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseDocument } from '../api/document';
import { figureNumber, percent, ratioRange, times } from './figure';
import type { Estimate } from './number';
import { bytes, duration, durationRange, figureRange } from './units';

interface Case {
  kind: string;
  estimate: Estimate;
  text: string;
}
const written: Record<string, (estimate: Estimate) => string> = {
  time: ({ value }) => duration(value),
  'time range': durationRange,
  'ratio range': ratioRange,
  'memory range': (estimate) => figureRange('memory', estimate),
  ratio: ({ value }) => times(value),
  bytes: ({ value }) => bytes(value),
  percent: ({ value }) => percent(value),
  number: ({ value }) => figureNumber(value),
};

test('figures are written as the command line writes them', () => {
  const cases = parseDocument(readFileSync('../tests/golden/figures.json', 'utf8')) as Case[];
  assert.ok(cases.length > 100);
  for (const name of Object.keys(written)) assert.ok(cases.some(({ kind }) => kind === name), name);
  for (const { kind, estimate, text } of cases) assert.equal(written[kind]!(estimate).replace('−', '-'), text, `${kind} ${JSON.stringify(estimate)}`);
});
