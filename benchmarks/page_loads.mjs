// SPDX-License-Identifier: Apache-2.0
// How long the dashboard's pages take until nothing in them waits any more, each opened several times by a browser that
// has none of it yet.  usage: node benchmarks/page_loads.mjs URL [TIMES]   (needs web/node_modules and Chromium)
// Exit code 1 when a page took a second or longer in the median.
import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../web/package.json', import.meta.url))('@playwright/test');
const [url, times = '5'] = process.argv.slice(2);
const promisedMs = 1000;
const paths = [
  '/',
  '/workloads',
  '/workloads/ch09/softmax',
  '/runs',
  '/runs/latest',
  '/trade-offs?workload=ch09',
  '/what-if?workload=ch09',
  '/scaling?workload=ch09',
  '/history?workload=ch09',
  '/validity',
  '/machine',
  '/live',
];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
let late = 0;
for (const path of paths) {
  const took = [];
  for (let i = 0; i < Number(times); ++i) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    const begun = performance.now();
    await page.goto(url + path, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.querySelector('main h1') && !document.querySelector('[aria-busy="true"]'));
    took.push(performance.now() - begun);
    if (await page.locator('[role="alert"]').count()) {
      console.log(`${path}: ${await page.locator('[role="alert"]').first().textContent()}`);
      ++late;
    }
    await context.close();
  }
  took.sort((a, b) => a - b);
  const median = took[Math.floor(took.length / 2)];
  console.log(`${path.padEnd(28)} median ${median.toFixed(0).padStart(5)} ms, slowest ${took.at(-1).toFixed(0).padStart(5)} ms`);
  if (median >= promisedMs) ++late;
}
await browser.close();
process.exit(late > 0 ? 1 : 0);
