// Pictures of every page, to be looked at: light and dark at 1280, light at 390.
//
//   node dev/shots.mjs http://127.0.0.1:8100 shots [page ...]
import { chromium } from '@playwright/test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const [base, out, ...only] = process.argv.slice(2);
const pages = {
  overview: '/', workloads: '/workloads', workload: '/workloads/ch09/sgemm', 'workload-bytes': '/workloads/ch07/transpose', runs: '/runs', run: '/runs/latest',
  compare: '/compare?mode=variants', 'trade-offs': '/trade-offs?workload=ch07', 'what-if': '/what-if?latency=1&workload=ch09', scaling: '/scaling', history: '/history?workload=ch09/softmax',
  validity: '/validity?guard=output_written', machine: '/machine', live: '/live',
};
const looks = { light: { width: 1280, scheme: 'light' }, dark: { width: 1280, scheme: 'dark' }, narrow: { width: 390, scheme: 'light' } };

mkdirSync(out, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const [look, { width, scheme }] of Object.entries(looks)) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.log('page error', error.message));
  page.on('console', (message) => message.type() === 'error' && console.log('console', page.url(), message.text()));
  for (const [name, path] of Object.entries(pages)) {
    if (only.length && !only.includes(name)) continue;
    await page.goto(base + path, { waitUntil: 'load' });
    await page.waitForFunction(() => document.querySelector('main h1') && !document.querySelector('[aria-busy="true"]'), undefined, { timeout: 60000 }).catch(() => console.log('still busy', path));
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(out, `${name}-${look}.png`), fullPage: true });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) console.log(`${path} ${look}: ${wide} px wider than the window`);
  }
  await context.close();
}
await browser.close();
