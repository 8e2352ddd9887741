// The pictures of docs/design/dashboard.md, taken of a server whose store holds real runs alone; but the history, whose levels no
// short run changes, of one that tests/web/made_store.cpp filled. Look at each before it is kept.
// The last one waits for the second look of a run that somebody starts meanwhile on the page of the same server.
//
//   node dev/doc_shots.mjs http://127.0.0.1:8100 ../docs/design [name ...]
import { chromium } from '@playwright/test';
import { join } from 'node:path';

const [base, out, ...only] = process.argv.slice(2);
const pictures = [
  { name: 'overview', path: '/', scheme: 'light' },
  { name: 'workload', path: '/workloads/ch09/softmax', scheme: 'dark' },
  { name: 'trade-offs', path: '/trade-offs?workload=ch07%2Ftranspose', scheme: 'light', height: 1300 },
  { name: 'what-if', path: '/what-if?latency=0.1&workload=ch09', scheme: 'light', height: 800 },
  { name: 'history', path: '/history?workload=made%2Flevels', scheme: 'dark' },
  { name: 'live', path: '/live', scheme: 'light', height: 880, awaits: /Cell 2 of.*look [2-9] of at most/ },
];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const { name, path, scheme, height = 1000, awaits } of pictures) {
  if (only.length && !only.includes(name)) continue;
  const context = await browser.newContext({ viewport: { width: 1280, height }, colorScheme: scheme });
  const page = await context.newPage();
  await page.goto(base + path, { waitUntil: 'load' });
  await page.waitForFunction(() => document.querySelector('main h1') && !document.querySelector('[aria-busy="true"]'), undefined, { timeout: 60000 });
  if (awaits) await page.locator('main', { hasText: awaits }).waitFor({ timeout: 120000 });
  await page.waitForTimeout(700);
  await page.screenshot({ path: join(out, `dashboard-${name}.png`) });
  await context.close();
}
await browser.close();
