// A run started from the page shows how it converges and its events while it goes on; without the token it does not start.
import { violations } from './axe';
import { expect, expectError, test } from './watched';

const interval = /\d+(\.\d+)?x \[[\d.]+, [\d.]+\]/;

test('live run: refused without the right token, then started, seen to converge and finished', async ({ page }) => {
  test.setTimeout(240_000);
  await page.goto('/live');
  await expect(page.getByText('Listening')).toBeVisible();
  expectError('401');
  await page.getByLabel('Workloads').fill('ch08/ilp ch07/transpose');
  await page.getByLabel('Seconds for a cell').fill('6');
  await page.getByLabel('Token').fill('a-wrong-token-of-some-length');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('alert')).toContainText('token');
  await page.getByLabel('Token').fill(process.env.AISP_TOKEN!);
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('heading', { name: 'Running' })).toBeVisible();
  await expect(page.getByText('run started').first()).toBeVisible({ timeout: 60_000 });

  const converging = page.getByRole('region', { name: 'Converging' });
  await expect(converging).toContainText(/Cell 1 of 2: ch07\/transpose n=/, { timeout: 60_000 });
  await expect(converging.getByRole('progressbar', { name: 'Share of the whole run' })).toBeVisible();
  await expect(converging).toContainText(/\d+ rounds/, { timeout: 60_000 });
  await expect(converging).toContainText(/look \d of at most \d, at \d+ rounds · stops at ±[\d.]+%/, { timeout: 60_000 });
  const row = converging.getByRole('row').filter({ hasText: interval }).first();
  await expect(row).toContainText(/±[\d.]+%/);
  await expect(row.locator('svg')).toBeVisible();
  await expect(row.locator('svg .range')).toHaveCount(1);
  // Who comes while it runs is shown the same.
  await page.reload();
  const shown = page.getByRole('region', { name: /Converging|How it converged/ });
  await expect(shown.getByRole('row').filter({ hasText: interval }).first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);

  await expect(page.getByRole('heading', { name: 'Last run' })).toBeVisible({ timeout: 180_000 });
  await expect(page.getByText('run finished').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Measuring now')).toHaveCount(0);
  const finished = page.getByRole('region', { name: 'How it converged' });
  await expect(finished.getByRole('row').filter({ hasText: interval }).first()).toContainText(/valid|unproven|invalid/);
  await expect(page.getByLabel('What the run wrote')).not.toContainText('aisp.progress');
});
