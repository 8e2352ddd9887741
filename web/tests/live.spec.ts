// A run started from the page shows up as events while it goes on; without the token it does not start.
import { expect, expectError, test } from './watched';

test('live run: refused without the right token, then started, seen and finished', async ({ page }) => {
  test.setTimeout(240_000);
  await page.goto('/live');
  await expect(page.getByText('Listening')).toBeVisible();
  expectError('401');
  await page.getByLabel('Workloads').fill('ch08/ilp');
  await page.getByLabel('Seconds for a cell').fill('0.5');
  await page.getByLabel('Token').fill('a-wrong-token-of-some-length');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('alert')).toContainText('token');
  await page.getByLabel('Token').fill(process.env.AISP_TOKEN!);
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('heading', { name: /Running|Last run/ })).toBeVisible();
  await expect(page.getByText('run started').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('run finished').first()).toBeVisible({ timeout: 180_000 });
  await expect(page.getByRole('heading', { name: 'Last run' })).toBeVisible({ timeout: 60_000 });
});
