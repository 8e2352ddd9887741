// A change of level in words. The server's ratio is a gain: above 1 is better, whichever way the goal's figure goes. What
// the reader sees is the figure itself, before and after.
import { percent } from './figure';
import { figure } from './units';

/** "+50%" of 1.5, "−33%" of 2/3. */
const grown = (factor: number): string => `${factor >= 1 ? '+' : ''}${percent((factor - 1) * 100)}`;

export const direction = (gain: number): string => (gain < 1 ? 'worse' : 'better');

/** "1.00 µs → 1.50 µs, +50%". */
export const levels = (goal: string, before: number, after: number): string => `${figure(goal, before)} → ${figure(goal, after)}, ${grown(after / before)}`;

/** How the figure itself grew where only its gain is known: a throughput grows with it, time and bytes shrink. */
export const growth = (goal: string, gain: number): string => grown(goal === 'throughput' ? gain : 1 / gain);
