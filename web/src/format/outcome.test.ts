import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeOf } from './outcome';

test('what a run ended with is a word of its own', () => {
  const words = [0, 1, 4, 8, 9, 70].map((code) => outcomeOf('finished', code).word);
  assert.deepEqual(words, ['valid', 'rejected', 'unproven', 'failed', 'inconclusive', 'code 70']);
  assert.match(outcomeOf('finished', 9).meaning, /too wide to tell/);
});

test('a run without an exit code, or without an end, keeps its status', () => {
  assert.equal(outcomeOf('finished', null).word, 'finished');
  assert.equal(outcomeOf('finished', undefined).word, 'finished');
  assert.equal(outcomeOf('running', null).word, 'running');
  assert.equal(outcomeOf('interrupted', 1).word, 'interrupted');
  assert.equal(outcomeOf('out of time', 0).word, 'out of time');
});
