// Cases that a real store seldom holds: hostile names, a history with a change, an empty store. The server's answers
// are real but for the part that the test replaces.
import { expect, settled, test } from './watched';

const hostile = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>{{7*7}}';

test('hostile names are text', async ({ page }) => {
  await page.route('**/api/v1/summary', async (route) => {
    const summary = await (await route.fetch()).json();
    summary.recent = summary.recent.map((run: object) => ({ ...run, command: hostile }));
    for (const [at, leader] of summary.leaders.entries()) {
      leader.where.workload = `${hostile}${at}`;
      leader.place.variant = hostile;
    }
    await route.fulfill({ json: summary });
  });
  await page.goto('/');
  await settled(page);
  await expect(page.getByText('<script>').first()).toBeVisible();
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  await expect(page.locator('main img')).toHaveCount(0);
});

test('a change of level is drawn and named', async ({ page }) => {
  const points = Array.from({ length: 24 }, (_, at) => {
    const value = (at < 12 ? 1e6 : 1.3e6) * (1 + 0.004 * ((at * 7) % 5));
    return { run: `run-${at}`, time: `2026-11-${String(at + 1).padStart(2, '0')}T10:00:00Z`, commit: at < 12 ? 'aaaaaaa' : 'bbbbbbb', programs: [], method: 4, value: { value, low: value * 0.99, high: value * 1.01 } };
  });
  const change = { at: 12, last_old: 11, first_new: 12, p_value: 0.0005, before: 1e6, after: 1.3e6, ratio: 1.3, worse: true, recovered: false, status: 'suspected', alerts: false, paired: null };
  await page.route('**/api/v1/history*', (route) =>
    route.fulfill({
      json: {
        schema: 'aisp.history', schema_version: 1, search: { alpha: 0.002, least: 5, permutations: 1999, equivalence: 0.02 }, counts: { series: 1, points: 24, confirmed: 0, suspected: 1, unsettled: 0 },
        series: [{ workload: 'ch09/softmax', parameters: 'rows=64', device: 'cpu', cache: 'hot', variant: 'avx2', goal: 'speed', points, changes: [change], drifts: [] }], hardware: 'a machine', left_out: { not_valid: 0, not_listed: 0 },
      },
    }),
  );
  await page.goto('/history');
  await settled(page);
  await expect(page.getByText(/worse by 30 %/)).toContainText('aaaaaaa');
  await expect(page.locator('svg.plot circle')).toHaveCount(24);
});

test('an empty store says how to fill it', async ({ page }) => {
  await page.route('**/api/v1/summary', (route) =>
    route.fulfill({ json: { store: { runs: 0, cells: 0, last_event: 0 }, workloads: { known: 18, measured: 0 }, hardware: [], verdicts: { valid: 0, unproven: 0, invalid: 0, failed: 0 }, leaders: [], rejected: [], memory: [], recent: [] } }),
  );
  await page.goto('/');
  await expect(page.getByText('There are no results yet')).toBeVisible();
  await expect(page.getByText('aisp run ch07 --suite quick')).toBeVisible();
});

const ratio = (value: number, outcome: string) => ({ against: 'naive', ratio: value, low: value * 0.99, high: value * 1.01, confidence: 0.95, rounds: 96, method: 'sign', outcome, small: false });

test('stacking: a matrix of interactions with intervals, and words for them', async ({ page }) => {
  const where = { hardware: 'a machine', workload: 'ch07/transpose', parameters: 'n=2048', device: 'cpu', cache: 'hot' };
  await page.route('**/api/v1/analysis/stacking*', (route) =>
    route.fulfill({
      json: {
        schema: 'aisp.stacking', schema_version: 1, cannot_tell: false, needs: '', found: 1, declared: ['ch07/transpose'],
        combinations: [
          {
            where, run: 'r1', finished: '2026-11-16T07:00:00Z', techniques: ['blocking', 'streaming'], baseline: 'naive', best: 'naive+blocking+streaming', as_good: [], needs: '',
            subsets: [
              { variant: 'naive+blocking+streaming', techniques: ['blocking', 'streaming'], gain: ratio(3, 'faster') },
              { variant: 'naive+blocking', techniques: ['blocking'], gain: ratio(2, 'faster') },
              { variant: 'naive+streaming', techniques: ['streaming'], gain: ratio(0.5, 'slower') },
            ],
            interactions: [{ first: 'blocking', second: 'streaming', ratio: ratio(3, 'faster'), reading: 'help each other', needs: '' }],
            marginals: [{ technique: 'streaming', to: 'naive+blocking', gain: ratio(1.5, 'faster'), needs: '' }],
            left_out: [{ variant: hostile, why: 'it is unproven' }],
          },
        ],
      },
    }),
  );
  await page.goto('/trade-offs?workload=ch07');
  await settled(page);
  const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Stacking' }) });
  const matrix = panel.locator('table.matrix');
  await expect(matrix.locator('tbody tr').first().locator('td').nth(1)).toContainText('3.00x [2.97, 3.03]');
  await expect(matrix).toContainText('help each other');
  await expect(matrix.locator('tbody tr').nth(1).locator('td').nth(1)).toContainText('0.50');
  await expect(panel).toContainText('Best: naive+blocking+streaming');
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
});

test('stacking: without combinations it says which command measures them', async ({ page }) => {
  const needs = '`aisp run ch07/transpose --combinations`';
  await page.route('**/api/v1/analysis/stacking*', (route) => route.fulfill({ json: { cannot_tell: true, needs, found: 0, combinations: [], declared: ['ch07/transpose'] } }));
  await page.goto('/trade-offs?workload=ch07/transpose');
  await settled(page);
  const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Stacking' }) });
  await expect(panel.locator('code')).toHaveText('aisp run ch07/transpose --combinations');
});
