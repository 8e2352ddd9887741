// Cases that a real store seldom holds. The server's answers are real but for the part that the test replaces.
import { expect, settled, test } from './watched';

const hostile = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>{{7*7}}';

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
  // Each pair in both halves, so that no row is empty where its technique is the last.
  await expect(matrix.locator('tbody tr').nth(1).locator('td').nth(0)).toContainText('3.00x [2.97, 3.03]');
  await expect(panel).toContainText('Best: naive+blocking+streaming');
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
});

test('pareto: a contest of which everything was left out says so and why, and another one is shown first', async ({ page }) => {
  const where = (parameters: string) => ({ hardware: 'a machine', workload: 'ch07/transpose', parameters, device: 'cpu', cache: 'hot' });
  const member = { variant: 'naive', anchor: false, baseline: true, time_ns: { value: 1e6, low: 9.9e5, high: 1.01e6 }, peak_bytes: 8192, joules: null, worst_error: 0.25, dominated_by: [] };
  await page.route('**/api/v1/analysis/pareto*', (route) =>
    route.fulfill({
      json: {
        cannot_tell: false, needs: '', found: 2,
        contests: [
          { where: where('n=64'), respects: ['time', 'memory'], members: [], left_out: [{ variant: 'tiled', why: 'it is invalid' }], needs: '' },
          { where: where('n=128'), respects: ['time', 'memory'], members: [member], left_out: [], needs: '' },
        ],
      },
    }),
  );
  await page.goto('/trade-offs?workload=ch07');
  await settled(page);
  const panel = page.getByRole('region', { name: 'Pareto front' });
  await expect(panel.locator('tbody tr')).toHaveCount(1);
  await expect(panel).toContainText('1.000 ms [0.990, 1.010]');
  await panel.getByLabel('Contest').selectOption('0');
  await expect(panel).toContainText('No variant of this contest can be placed');
  await expect(panel.getByText('it is invalid')).toBeVisible();
  await expect(panel.locator('table')).toHaveCount(0);
});

test('stacking: without combinations it says which command measures them', async ({ page }) => {
  const needs = '`aisp run ch07/transpose --combinations`';
  await page.route('**/api/v1/analysis/stacking*', (route) => route.fulfill({ json: { cannot_tell: true, needs, found: 0, combinations: [], declared: ['ch07/transpose'] } }));
  await page.goto('/trade-offs?workload=ch07/transpose');
  await settled(page);
  const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Stacking' }) });
  await expect(panel.locator('code')).toHaveText('aisp run ch07/transpose --combinations');
});
