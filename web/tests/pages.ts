/** Every page with something that only it shows. */
export const pages: { name: string; path: string; shows: RegExp }[] = [
  { name: 'Overview', path: '/', shows: /Largest proven gains/ },
  { name: 'Workloads', path: '/workloads', shows: /Best gain measured/ },
  { name: 'Workload', path: '/workloads/ch09/softmax', shows: /Evidence of every guard/ },
  { name: 'Runs', path: '/runs', shows: /aisp run/ },
  { name: 'Run', path: '/runs/latest', shows: /Manifest/ },
  { name: 'Compare', path: '/compare', shows: /Choose two runs/ },
  { name: 'Trade-offs', path: '/trade-offs?workload=ch09', shows: /Pareto front/ },
  { name: 'What-if', path: '/what-if?workload=ch09', shows: /Limits/ },
  { name: 'Scaling', path: '/scaling?workload=ch08', shows: /Exponent/ },
  { name: 'History', path: '/history?workload=ch08', shows: /confirmed/ },
  { name: 'Validity', path: '/validity', shows: /95 of 95 issues/ },
  { name: 'Machine', path: '/machine', shows: /Doctor/ },
  { name: 'Live run', path: '/live', shows: /Events/ },
];
