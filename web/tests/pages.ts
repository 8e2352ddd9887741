/** Every page with something that only it shows, and what it says of an empty store. */
export const pages: { name: string; path: string; shows: RegExp; empty: RegExp }[] = [
  { name: 'Overview', path: '/', shows: /Largest proven gains/, empty: /There are no results yet/ },
  { name: 'Workloads', path: '/workloads', shows: /Largest proven gain/, empty: /Largest proven gain/ },
  { name: 'Workload', path: '/workloads/ch09/softmax', shows: /Evidence of every guard/, empty: /Not measured yet/ },
  { name: 'Runs', path: '/runs', shows: /aisp run/, empty: /No runs here/ },
  { name: 'Run', path: '/runs/latest', shows: /Manifest/, empty: /there are no results yet/ },
  { name: 'Compare', path: '/compare', shows: /Choose two runs/, empty: /There is no run to compare/ },
  { name: 'Trade-offs', path: '/trade-offs?workload=ch09', shows: /Pareto front/, empty: /needs/ },
  { name: 'What-if', path: '/what-if?workload=ch09', shows: /Limits/, empty: /needs/ },
  { name: 'Scaling', path: '/scaling?workload=ch08', shows: /Exponent/, empty: /needs/ },
  { name: 'History', path: '/history?workload=ch08', shows: /five results behind a change are needed/, empty: /No results over time/ },
  { name: 'Validity', path: '/validity', shows: /95 of 95 issues/, empty: /95 of 95 issues/ },
  { name: 'Machine', path: '/machine', shows: /Doctor/, empty: /Doctor/ },
  { name: 'Live run', path: '/live', shows: /Events/, empty: /Nothing yet/ },
];
