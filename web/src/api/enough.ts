// Whether a change of level was looked for in any series: where none has the results that takes, "no change" would be no answer.
import { plural } from '../format/text';
import type { HistoryDocument } from './types';

export const tooFew = ({ counts }: HistoryDocument): boolean => counts.series > 0 && counts.tested === 0;

/** "4 series of 45 results", or of some that have too few "the 3 of 51 series that have 10 results". */
export const testedOf = ({ counts }: HistoryDocument): string =>
  counts.tested < counts.series
    ? `the ${counts.tested} of ${plural(counts.series, 'series', 'series')} that have ${plural(counts.points_to_test, 'result')}`
    : `${plural(counts.series, 'series', 'series')} of ${plural(counts.points, 'result')}`;
