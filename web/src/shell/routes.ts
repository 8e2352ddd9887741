// Every page is a chunk of its own; the first one is small because the others wait until they are asked for.
import type { Component } from 'svelte';

export interface Page {
  default: Component<{ rest: string }>;
}
export interface Route {
  path: string;
  title: string;
  menu: boolean;
  load: () => Promise<Page>;
}

const of = (load: () => Promise<unknown>) => load as () => Promise<Page>;

export const routes: Route[] = [
  { path: '/', title: 'Overview', menu: true, load: of(() => import('../pages/Overview.svelte')) },
  { path: '/workloads', title: 'Workloads', menu: true, load: of(() => import('../pages/Workloads.svelte')) },
  { path: '/workloads/*', title: 'Workload', menu: false, load: of(() => import('../pages/Workload.svelte')) },
  { path: '/runs', title: 'Runs', menu: true, load: of(() => import('../pages/Runs.svelte')) },
  { path: '/runs/*', title: 'Run', menu: false, load: of(() => import('../pages/Run.svelte')) },
  { path: '/compare', title: 'Compare', menu: true, load: of(() => import('../pages/Compare.svelte')) },
  { path: '/trade-offs', title: 'Trade-offs', menu: true, load: of(() => import('../pages/TradeOffs.svelte')) },
  { path: '/what-if', title: 'What-if', menu: true, load: of(() => import('../pages/WhatIf.svelte')) },
  { path: '/scaling', title: 'Scaling', menu: true, load: of(() => import('../pages/Scaling.svelte')) },
  { path: '/history', title: 'History', menu: true, load: of(() => import('../pages/History.svelte')) },
  { path: '/validity', title: 'Validity', menu: true, load: of(() => import('../pages/Validity.svelte')) },
  { path: '/machine', title: 'Machine', menu: true, load: of(() => import('../pages/Machine.svelte')) },
  { path: '/live', title: 'Live run', menu: true, load: of(() => import('../pages/Live.svelte')) },
];

/** The route of a path, and what "*" stood for. */
export function match(path: string): { route: Route; rest: string } | undefined {
  const clean = path.length > 1 ? path.replace(/\/+$/, '') : path;
  for (const route of routes) {
    if (route.path === clean) return { route, rest: '' };
    const stem = route.path.endsWith('/*') ? route.path.slice(0, -1) : '';
    if (stem && clean.startsWith(stem) && clean.length > stem.length) return { route, rest: clean.slice(stem.length) };
  }
  return undefined;
}
