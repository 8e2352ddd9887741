// Names, git facts, notes and output that try to become markup, from the store and from a run: text on every page.
import { execFileSync } from 'node:child_process';
import type { Page } from '@playwright/test';
import { expect, expectError, settled, test } from './watched';

// As tests/web/made_store.cpp writes them.
const hostile = `<img src=x onerror="window.hit=1"></script><script>window.hit=1</script>{{7}}'"&`;

async function isText(page: Page, path: string) {
  await page.locator('main details').evaluateAll((all) => all.forEach((each) => ((each as HTMLDetailsElement).open = true)));
  await expect(page.locator('main'), path).toContainText('</script><script>');
  expect(await page.evaluate(() => 'hit' in window), path).toBe(false);
  await expect(page.locator('main img, main script, main iframe'), path).toHaveCount(0);
}

test.beforeEach(({ page }) => {
  page.on('dialog', (dialog) => {
    void dialog.dismiss();
    throw new Error(`a page ran what is stored: ${dialog.message()}`);
  });
});

test('hostile names of a store are text on every page', async ({ page, request }) => {
  const { runs } = (await (await request.get('/api/v1/runs?limit=1000')).json()) as { runs: { id: string; command: string }[] };
  const made = runs.find(({ command }) => command.includes('<img'))!;
  const id = `made/${hostile}`;
  const paths = ['/', '/workloads', `/workloads/${id.split('/').map(encodeURIComponent).join('/')}`, '/runs', `/runs/${made.id}`, '/history', `/history?workload=${encodeURIComponent(id)}`, `/trade-offs?workload=${encodeURIComponent(id)}`, `/what-if?latency=1&workload=${encodeURIComponent(id)}`, `/compare?mode=variants&run=${made.id}`];
  // Where a name is no pattern that the server takes, it says so: the sentence quotes the name.
  expectError('400');
  for (const path of paths) {
    await page.goto(path);
    await settled(page);
    if (path === '/runs') await expect(page.locator('main')).toContainText('<img');
    else await isText(page, path);
  }
});

test('what a hostile plugin wrote, threw and called itself is text', async ({ page, request }) => {
  const { runs } = (await (await request.get('/api/v1/runs?limit=1000&workload=names/loud')).json()) as { runs: { id: string }[] };
  for (const path of ['/workloads', '/workloads/names/loud', `/runs/${runs[0]!.id}`]) {
    await page.goto(path);
    await settled(page);
    await isText(page, path);
  }
});

test('live: hostile events and the lines of a hostile run are text', async ({ page }) => {
  test.setTimeout(240_000);
  await page.goto('/live');
  await expect(page.getByText('Listening')).toBeVisible();
  execFileSync(process.env.AISP_MADE_STORE!, [process.env.AISP_STORE!, 'hostile']);
  await isText(page, '/live');
  await page.getByLabel('Workloads').fill('names/loud');
  await page.getByLabel('Seconds for a cell').fill('0.5');
  await page.getByLabel('Token').fill(process.env.AISP_TOKEN!);
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('heading', { name: 'Last run' })).toBeVisible({ timeout: 180_000 });
  await expect(page.locator('pre[aria-label="What the run wrote"]')).toContainText('<script>');
  await isText(page, '/live');
});
