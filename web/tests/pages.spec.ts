// What a reader does: go from page to page, filter, compare, ask, and understand an error.
import { expect, expectError, settled, test } from './watched';

test('navigation: links change the page without loading it again, back returns, the skip link skips', async ({ page }) => {
  await page.goto('/');
  await settled(page);
  await page.evaluate(() => Object.assign(window, { marked: true }));
  const menu = page.getByRole('navigation', { name: 'Pages' });
  for (const name of ['Workloads', 'Validity', 'Machine']) {
    await menu.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await expect(menu.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page');
  }
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Validity');
  expect(await page.evaluate(() => 'marked' in window)).toBe(true);
  await page.goto('/');
  await settled(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
});

test('workloads: search and chapter narrow the table and are part of the link', async ({ page }) => {
  await page.goto('/workloads');
  await settled(page);
  const rows = page.locator('tbody tr');
  const all = await rows.count();
  await page.getByLabel('Chapter').selectOption('ch09');
  await expect(page).toHaveURL(/chapter=ch09/);
  const chapter = await rows.count();
  expect(chapter).toBeGreaterThan(0);
  expect(chapter).toBeLessThan(all);
  await page.getByLabel('Search').fill('softmax');
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await page.getByLabel('Search').fill('no such thing');
  await expect(page.getByText('No workload matches')).toBeVisible();
  await page.getByRole('link', { name: 'show all' }).click();
  await expect(rows).toHaveCount(all);
});

test('workload: ladder, samples, rounds, position, counters, guards and source are there', async ({ page }) => {
  await page.goto('/workloads/ch09/softmax');
  await settled(page);
  for (const heading of ['Ladder', 'Raw samples', 'Rounds over time', 'Position below the ceilings', 'Counters', 'Evidence of every guard', 'Idea and source']) await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  await expect(page.locator('svg.plot').first()).toBeVisible();
  await expect(page.locator('table').first()).toContainText(/\[[\d.,]+, [\d.,]+\]/);
  await page.getByLabel('also those that passed').check();
  await expect(page.getByText('output_written').first()).toBeVisible();
  await page.locator('summary', { hasText: 'softmax' }).first().click();
  await expect(page.locator('pre').first()).toContainText('softmax');
});

test('an invalid row is marked and says which guard rejected it, and why', async ({ page, request }) => {
  const summary = (await (await request.get('/api/v1/summary')).json()) as { rejected: { workload: string; reasons: { guard: string; because: string }[] }[] };
  const workload = 'dishonest/unwritten';
  const first = summary.rejected.find((row) => row.workload === workload)!.reasons[0]!;
  const asked: string[] = [];
  page.on('request', (sent) => asked.push(new URL(sent.url()).pathname));
  await page.goto('/');
  await settled(page);
  expect(asked.filter((path) => /\/(cells|workloads|runs)\//.test(path))).toEqual([]);
  const rejected = page.locator('section', { has: page.getByRole('heading', { name: 'Rejected, and why' }) }).locator('li', { hasText: workload });
  await expect(rejected.getByText('invalid').first()).toBeVisible();
  await expect(rejected.locator('a[href^="/validity?guard="]').first()).toHaveText(first.guard);
  await expect(rejected.getByText(first.because).first()).toBeVisible();
  await rejected.locator('a[href^="/validity?guard="]').first().click();
  await expect(page.getByText('Required from policy')).toBeVisible();
});

test('what-if: limits change the answer, nonsense is refused with a sentence', async ({ page }) => {
  await page.goto('/what-if?workload=ch09');
  await settled(page);
  await page.getByLabel('Time of a call at most').fill('100000');
  await page.getByRole('button', { name: 'Ask' }).click();
  await settled(page);
  await expect(page.getByText('meets').first()).toBeVisible();
  await page.getByLabel('Time of a call at most').fill('0.0001');
  await page.getByRole('button', { name: 'Ask' }).click();
  await expect(page.locator('.mark.bad', { hasText: 'fails' }).first()).toHaveText('✕ fails');
  expectError('400');
  await page.getByLabel('Time of a call at most').fill('soon');
  await page.getByRole('button', { name: 'Ask' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('trade-offs: a price makes a bill, a GPU is picked', async ({ page }) => {
  await page.goto('/trade-offs?workload=ch08');
  await settled(page);
  await page.getByLabel('Price of an hour').fill('4.10');
  await page.getByLabel('Price of an hour').press('Enter');
  await expect(page.getByText(/Price of a million/).first()).toBeVisible();
  await page.getByLabel('Machine').selectOption('H100');
  await expect(page).toHaveURL(/gpu=H100/);
  await settled(page);
});

test('validity: filters by guard and coverage', async ({ page }) => {
  await page.goto('/validity?guard=output_written');
  await settled(page);
  await expect(page.getByText('Did every call write all of its output?')).toBeVisible();
  await page.goto('/validity');
  await page.getByLabel('Covered').selectOption('not yet');
  await expect(page.getByRole('status')).not.toContainText('95 of 95');
});

test('colours: the switch wins over the system and is kept', async ({ page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.goto('/');
  await settled(page);
  const light = await ground();
  await page.getByLabel('Colours').selectOption('dark');
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.reload();
  expect(await ground()).toBe(dark);
  await page.getByLabel('Colours').selectOption('system');
  expect(await ground()).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await ground()).toBe(dark);
});

test('390 px: the menu opens and leads on', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/');
  await settled(page);
  await page.getByRole('button', { name: 'Pages' }).click();
  await page.getByRole('link', { name: 'Machine', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Machine');
});

test('errors: what is not there, and a server that is gone, are told with what to do', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByRole('alert')).toContainText('There is no page');
  expectError('404');
  await page.goto('/runs/nothing');
  await expect(page.getByRole('alert')).toBeVisible();
  expectError('ERR_FAILED');
  await page.route('**/api/v1/summary', (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('alert')).toContainText('does not answer');
  await page.unroute('**/api/v1/summary');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Largest proven gains')).toBeVisible();
});
