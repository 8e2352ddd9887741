// How a run ended, in a word and a sentence. "finished" alone hides that nothing could be told apart: the exit code of
// `aisp run` knows.
export interface Outcome {
  word: string;
  meaning: string;
}

const ends: Record<number, Outcome> = {
  0: { word: 'valid', meaning: 'Every cell is valid, and none is inconclusive.' },
  1: { word: 'rejected', meaning: 'A guard rejected at least one row.' },
  4: { word: 'unproven', meaning: 'A fact that the policy asks for could not be established, or this machine cannot do it.' },
  8: { word: 'failed', meaning: 'Workload code crashed or was ended.' },
  9: { word: 'inconclusive', meaning: 'Valid, but in at least one cell the interval is too wide to tell the best variant from the baseline. More time or a quieter machine narrows it.' },
};

export function outcomeOf(status: string, exitCode: number | null | undefined): Outcome {
  if (status === 'running') return { word: status, meaning: 'It is being measured.' };
  if (status === 'interrupted') return { word: status, meaning: 'It was ended before it was done; what was finished is kept.' };
  if (status === 'out of time') return { word: status, meaning: 'The time was spent before every cell was measured.' };
  if (exitCode === null || exitCode === undefined) return { word: status, meaning: 'How it ended is not recorded.' };
  return ends[exitCode] ?? { word: `code ${exitCode}`, meaning: `It ended with exit code ${exitCode}.` };
}
