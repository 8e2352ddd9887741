// Every page over a store that is not there yet: it says so, and what to do; and a server that cannot say what it runs.
import { pages } from './pages';
import { expect, expectError, settled, test } from './watched';

test.use({ baseURL: process.env.AISP_EMPTY_URL! });

for (const { name, path, empty } of pages) {
  test(`${name}: says what is missing in an empty store`, async ({ page }) => {
    if (name === 'Run') expectError('404');
    await page.goto(path);
    await settled(page);
    await expect(page.locator('main')).toContainText(empty);
    await expect(page.locator('main')).not.toContainText(/\[object/);
  });
}

test('live: a page of a server that starts no runs does not offer to', async ({ page }) => {
  const empty = page.getByRole('region', { name: 'Events' });
  await page.goto('/live');
  await settled(page);
  await expect(empty).toContainText('with the same store, or on this page.');
  await page.route('**/api/v1/runs/current', (route) => route.fulfill({ json: { job: null, allowed: false } }));
  await page.reload();
  await expect(page.getByText('This server does not start runs')).toBeVisible();
  await expect(empty).toContainText('with the same store.');
  await expect(empty).not.toContainText('on this page');
});

test('live: a server that cannot say what it runs is told, and asked again', async ({ page }) => {
  expectError('500');
  await page.route('**/api/v1/runs/current', (route) => route.fulfill({ status: 500, json: { error: 'the run cannot be read', hint: 'look at its log' } }));
  await page.goto('/live');
  await expect(page.getByRole('alert')).toContainText('the run cannot be read');
  await expect(page.getByRole('alert')).toContainText('look at its log');
  await page.unroute('**/api/v1/runs/current');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});
