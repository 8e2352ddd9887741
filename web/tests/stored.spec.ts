// What tests/web/made_store.cpp and a sweep over threads left in the store, as the real server tells of it.
import { expect, settled, test } from './watched';

interface Estimate {
  value: number;
  low: number;
  high: number | string;
}

test('scaling: the limit of a team is a ratio with its interval, without an end where there is none', async ({ page }) => {
  await page.goto('/scaling?workload=made%2Fteam');
  await settled(page);
  const panel = page.getByRole('region', { name: /made\/team n=64 .* by threads/ });
  await expect(panel.locator('tr', { hasText: 'half' }).locator('td').last()).toHaveText('2x [1.89, 2.13]');
  await expect(panel.locator('tr', { hasText: 'nearly' }).locator('td').last()).toHaveText('120x [32.9, ∞]');
});

test('scaling: two rows of one variant are two rows, two lines and two names', async ({ page, request }) => {
  const { teams } = (await (await request.get('/api/v1/analysis/scaling?workload=made/team&top=1000')).json()) as { teams: { variant: string; law: string }[] };
  expect(teams.filter(({ variant, law }) => variant === 'half' && law === 'Gustafson')).toHaveLength(2);
  await page.goto('/scaling?workload=made%2Fteam');
  await settled(page);
  const panel = page.getByRole('region', { name: /made\/team\s+cpu .* by threads/ });
  await expect(panel.locator('tbody tr', { hasText: 'half' })).toHaveCount(2);
  await expect(panel.locator('tbody tr', { hasText: 'half, 64 items' })).toHaveCount(1);
  await expect(panel.locator('tbody tr', { hasText: 'half, 128 items' })).toContainText('Gustafson');
  await expect(panel.locator('svg.plot circle').first()).toBeVisible();
  // The dashed line of perfect scaling, and one for each row.
  await expect(panel.locator('svg.plot path[stroke-width="1.5"], svg.plot g[stroke-width="1.5"] path')).toHaveCount(5);
});

test('scaling: a measured sweep over threads shows the limit that the server tells', async ({ page, request }) => {
  const { teams } = (await (await request.get('/api/v1/analysis/scaling?workload=ch09/sgemm&top=1000')).json()) as { teams: { variant: string; where: { parameters: string }; limit: Estimate | null }[] };
  expect(teams.length).toBeGreaterThan(0);
  await page.goto('/scaling?workload=ch09%2Fsgemm');
  await settled(page);
  await expect(page.locator('main')).not.toContainText(/unknown|NaN|\[object/);
  const cells = page.locator('table', { hasText: 'Serial share' }).locator('tbody tr td:last-child');
  await expect(cells).toHaveCount(teams.length);
  const shown = await cells.allTextContents();
  expect(shown.filter((text) => /^[\d.,]+x \[[\d.,]+, ([\d.,]+|∞)\]$/.test(text))).toHaveLength(teams.filter(({ limit }) => limit).length);
  expect(shown.filter((text) => text === '–')).toHaveLength(teams.filter(({ limit }) => !limit).length);
});

test('history: a change says what the figure did, in the right direction', async ({ page }) => {
  await page.goto('/history?workload=made%2Flevels');
  await settled(page);
  const of = (variant: string) => page.locator('section.panel', { has: page.locator('h2 .mono', { hasText: variant }) });
  await expect(of('slower')).toContainText(/worse: 1\.0\d µs → 1\.5\d µs, \+50%/);
  await expect(of('slower')).toContainText('between aaaaaaaaaaaa and bbbbbbbbbbbb');
  await expect(of('faster')).toContainText(/better: 1\.5\d µs → 1\.0\d µs, −33%/);
  await expect(of('drifting')).toContainText(/Drifts from result 1 to 24: worse, \+(49|50|51)%/);
  await expect(of('slower').locator('svg.plot circle')).toHaveCount(24);
  await page.goto('/history?workload=made%2Frates');
  await settled(page);
  await expect(of('slower')).toContainText(/worse: 2\.0\d Mitems\/s → 1\.0\d Mitems\/s, −50%/);
});

test('history: without a workload only what changed is asked for; the overview words it alike', async ({ page }) => {
  await page.goto('/history');
  await settled(page);
  await expect(page.getByText(/worse: 1\.0\d µs → 1\.5\d µs, \+50%/)).toBeVisible();
  await page.goto('/');
  await settled(page);
  const changed = page.locator('section', { has: page.getByRole('heading', { name: 'What changed' }) });
  await expect(changed).toContainText(/slower\s+worse: 1\.0\d µs → 1\.5\d µs, \+50%/);
  await expect(changed).toContainText(/faster\s+better: 1\.5\d µs → 1\.0\d µs, −33%/);
});

test('history: a list that was cut says how many there are', async ({ page }) => {
  await page.route('**/api/v1/history*', async (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('top', '2');
    await route.fulfill({ response: await route.fetch({ url: url.href }) });
  });
  await page.goto('/history?workload=made');
  await settled(page);
  await expect(page.locator('section.panel')).toHaveCount(2);
  await expect(page.getByText(/^2 of \d+ series: choose a workload/)).toBeVisible();
});

test('cost and scaling: lines that were cut say how many there are', async ({ page }) => {
  const cut = (path: string) =>
    page.route(`**/api/v1/analysis/${path}*`, async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('top', '1');
      await route.fulfill({ response: await route.fetch({ url: url.href }) });
    });
  await cut('cost');
  await page.goto('/trade-offs?workload=ch08&rate=4');
  await settled(page);
  await expect(page.getByText(/^\d+ of \d+ lines: choose a workload/)).toBeVisible();
  await cut('scaling');
  await page.goto('/scaling?workload=made%2Fteam');
  await settled(page);
  await expect(page.getByText(/^2 of \d+ lines: choose a workload/)).toBeVisible();
  await expect(page.locator('section.panel')).toHaveCount(2);
});
