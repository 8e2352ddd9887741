// Whether any series has as many results as a change of its level needs: with fewer, "no change" would be no answer.
import type { HistoryDocument, HistorySeries } from './types';

/** Results on either side of a change, twice. */
export const needed = (history: HistoryDocument): number => 2 * history.search.least;

const lengthOf = (series: HistorySeries): number => series.points.length + (series.points_before ?? 0);

/** Of the longest series, as far as the document tells: exactly where it lists all of them, else at most. */
export function longest(history: HistoryDocument): number {
  if (history.series.length >= history.counts.series) return Math.max(0, ...history.series.map(lengthOf));
  return history.counts.points - history.counts.series + 1;
}

export const tooFew = (history: HistoryDocument): boolean => history.counts.series > 0 && longest(history) < needed(history);
