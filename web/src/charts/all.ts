// Everything that draws, in one chunk that pages ask for after their text is there.
import { bandwidth } from './bandwidth';
import { heights } from './ceilings';
import { distribution } from './distribution';
import { growth } from './growth';
import { historyOf } from './history';
import { ladder } from './ladder';
import { pareto } from './pareto';
import { roofline } from './roofline';
import { rounds } from './rounds';
import { team } from './team';

export { render } from './plot';
export const charts = { bandwidth, distribution, growth, heights, historyOf, ladder, pareto, roofline, rounds, team };
export type Charts = typeof charts;
