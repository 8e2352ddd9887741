// Comparisons: every number of the page is the server's, and those of made-up runs are known beforehand.
import type { APIRequestContext, Page } from '@playwright/test';
import { expectRatio, type Ratio } from './numbers';
import { expect, expectError, settled, test } from './watched';

interface Line {
  what: string;
  verdict: string;
  ratio: Ratio | null;
}

/** Ids of the runs of a workload, the newest first. */
async function runsOf(request: APIRequestContext, workload: string): Promise<string[]> {
  const { runs } = (await (await request.get(`/api/v1/runs?limit=100&workload=${workload}`)).json()) as { runs: { id: string }[] };
  return runs.map(({ id }) => id);
}

/** Opens a comparison and holds each of its rows to the server's line. */
async function shown(page: Page, request: APIRequestContext, query: string): Promise<Line[]> {
  const { comparisons } = (await (await request.get(`/api/v1/compare?${query}`)).json()) as { comparisons: Line[] };
  expect(comparisons.length).toBeGreaterThan(0);
  await page.goto(`/compare?${query}`);
  await expect(page.getByRole('heading', { name: /Speed-up of/ })).toBeVisible();
  await settled(page);
  await expect(page.locator('tbody tr')).toHaveCount(comparisons.length);
  for (const [at, line] of comparisons.entries()) {
    const cells = page.locator('tbody tr').nth(at).locator('td');
    await expect(cells.nth(0)).toHaveText(line.what);
    expectRatio((await cells.nth(1).textContent())!, line.ratio);
    await expect(cells.nth(3)).toContainText(line.verdict);
  }
  return comparisons;
}

// Made up: 1000 and 500 ns, then 800 and 400, with 1 % to either side: 1.25 [990 / 808, 1010 / 792].
test('compare: two runs give ratios with their intervals, by hand', async ({ page, request }) => {
  const [second, first] = await runsOf(request, 'made/pair');
  const lines = await shown(page, request, `first=${first}&second=${second}`);
  expect(lines.map(({ what }) => what)).toEqual(['made/pair n=64 plain', 'made/pair n=64 quick']);
  for (const at of [0, 1]) await expect(page.locator('tbody tr').nth(at).locator('td').nth(1)).toHaveText('1.25x [1.23, 1.28]');
  await expect(page.getByText(/^Compared unpaired: the two runs did not measure in the same rounds/)).toBeVisible();
  await expect(page.locator('tbody')).not.toContainText('unpaired');
});

test('compare: two variants of a run by their rounds, and the other way round the inverse', async ({ page, request }) => {
  const [run] = await runsOf(request, 'made/pair');
  const ratio = page.locator('tbody tr td').nth(1);
  await shown(page, request, `run=${run}&workload=made/pair&first=plain&second=quick`);
  await expect(ratio).toHaveText('2.00x');
  await shown(page, request, `run=${run}&workload=made/pair&first=quick&second=plain`);
  await expect(ratio).toHaveText('0.500x');
});

test('compare: measured runs, chosen on the page', async ({ page, request }) => {
  const [second, first] = await runsOf(request, 'ch08/ilp');
  await shown(page, request, `first=${first}&second=${second}`);
  await page.goto('/compare');
  await settled(page);
  await page.getByLabel('Before').selectOption(first!);
  await page.getByLabel('After').selectOption(second!);
  await expect(page.getByRole('heading', { name: `Speed-up of ${second} over ${first}` })).toBeVisible();
  expectError('404');
  expectError('400');
  await page.getByLabel('After').selectOption(first!);
  await expect(page.getByRole('alert')).toBeVisible();
});

test('compare: variants of a measured run, chosen on the page', async ({ page, request }) => {
  const [run] = await runsOf(request, 'ch08/ilp');
  // A label holds its list too, so that its text begins with the name.
  const choice = (name: string) => page.locator('label', { hasText: new RegExp(`^\\s*${name}\\s`) }).locator('select');
  await page.goto('/compare');
  await settled(page);
  const modes = page.getByRole('group', { name: 'What to compare' });
  await modes.getByRole('button', { name: 'Two variants of a run' }).click();
  await expect(modes.getByRole('button', { name: 'Two variants of a run' })).toHaveAttribute('aria-pressed', 'true');
  await choice('Run').selectOption(run!);
  await expect(choice('Workload')).toHaveValue('ch08/ilp');
  const names = await choice('First').locator('option').allTextContents();
  expect(names.length).toBeGreaterThan(1);
  const [slow, fast] = [names[0]!, names[names.length - 1]!];
  const of = (first: string, second: string) => `run=${run}&workload=ch08/ilp&first=${first}&second=${second}`;
  const [forth] = await shown(page, request, of(slow, fast));
  const [back] = await shown(page, request, of(fast, slow));
  expect(forth!.ratio!.ratio * back!.ratio!.ratio).toBeCloseTo(1, 2);
  await expect(page.getByRole('heading', { name: /Speed-up of/ })).toHaveText(new RegExp(`Speed-up of .*${slow}.* over .*${fast}`));
  // The choice is part of the address, so that it can be passed on.
  await page.reload();
  await expect(choice('First')).toHaveValue(fast);
  await choice('Second').selectOption(fast);
  await expect(page.getByText('Choose two different variants')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`second=${fast}`));
});
