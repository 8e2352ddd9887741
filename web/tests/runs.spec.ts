// Runs: how each ended is seen at a glance, and what its results stand on.
import { expect, settled, test } from './watched';

interface Line {
  id: string;
  exit_code: number | null;
}

test('runs: one that ended inconclusive does not look like a clean one', async ({ page, request }) => {
  const { runs } = (await (await request.get('/api/v1/runs?limit=1&workload=made/unsure')).json()) as { runs: Line[] };
  expect(runs[0]!.exit_code).toBe(9);
  await page.goto('/runs?workload=made%2Funsure');
  await settled(page);
  const row = page.locator('tbody tr', { hasText: runs[0]!.id });
  await expect(row.locator('.mark.doubt')).toHaveText('~ inconclusive');
  await expect(row).toHaveClass(/doubtful/);
  await row.getByRole('link').click();
  await settled(page);
  await expect(page.getByRole('region', { name: 'About the run' })).toContainText(/inconclusive.*too wide to tell.* Exit code 9\./);
});

test('run: outcome, policy, calibration and other work are told', async ({ page, request }) => {
  const told = (await (await request.get('/api/v1/runs?limit=1&workload=ch08/ilp')).json()) as { runs: Line[] };
  const run = (await (await request.get(`/api/v1/runs/${told.runs[0]!.id}?evidence=false&samples=false`)).json()) as { aa: string; busy: string | null; exit_code: number };
  expect(run.aa).toMatch(/^A\/A /);
  await page.goto(`/runs/${told.runs[0]!.id}`);
  await settled(page);
  const about = page.getByRole('region', { name: 'About the run' });
  await expect(about).toContainText(`Exit code ${run.exit_code}.`);
  await expect(about).toContainText('standard: facts that virtual machines and containers hide may be unknown');
  await expect(about.locator('dt', { hasText: 'A/A calibration' }).locator('+ dd')).toContainText(run.aa.slice(5));
  const other = about.locator('dt', { hasText: 'Other work' }).locator('+ dd');
  if (run.busy) await expect(other).toContainText(`The machine was busy: ${run.busy}.`);
  else await expect(other).toContainText(run.busy === null ? 'Unknown' : 'None worth telling');
});

test('run: a busy machine is told, and so is one nobody looked at', async ({ page }) => {
  for (const [busy, words] of [['3.2 runnable tasks per core before the run', 'The machine was busy: 3.2 runnable tasks'], ['', 'None worth telling when it began.'], [null, 'Unknown']] as const) {
    await page.route('**/api/v1/runs/latest?*', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), busy } });
    });
    await page.goto('/runs/latest');
    await settled(page);
    await expect(page.locator('dt', { hasText: 'Other work' }).locator('+ dd')).toContainText(words);
    await page.unroute('**/api/v1/runs/latest?*');
  }
});

// Two runs of ch08/ilp, and what other tests added: a few results of each of its variants.
test('history: few results are not called no change', async ({ page }) => {
  let asked = 0;
  page.on('request', (request) => (asked += Number(request.url().includes('/api/v1/history'))));
  for (const query of ['?workload=ch08%2Filp', '?workload=ch08%2Filp&all=true']) {
    await page.goto(`/history${query}`);
    await settled(page);
    await expect(page.getByText('No series has enough results yet')).toBeVisible();
    await expect(page.locator('main')).toContainText(/from 10 results of one series on, half of them on either side; no series has as many yet\./);
  }
  expect(asked, 'the search is not asked for twice').toBe(2);
  // Nothing changed, and 30 results of three series: of none, or of one, so many that a change can be seen.
  const changed = page.locator('section', { has: page.getByRole('heading', { name: 'What changed' }) });
  for (const { tested, onHistory, onOverview } of [
    { tested: 0, onHistory: 'No series has enough results yet', onOverview: 'No series has the 10 results yet that a change needs: there are 30 results of 3 series' },
    { tested: 1, onHistory: 'No series changed', onOverview: 'No change of level in the 1 of 3 series that have 10 results' },
  ]) {
    await page.route(/\/api\/v1\/history\?changed=true/, (route) =>
      route.fulfill({ json: { search: { alpha: 0.01, least: 5 }, counts: { series: 3, tested, points_to_test: 10, points: 30, confirmed: 0, suspected: 0, unsettled: 0 }, runs: [], series: [], total: 0, hardware: 'here', left_out: { not_valid: 0, not_listed: 0 } } }),
    );
    await page.goto('/history');
    await settled(page);
    await expect(page.locator('main')).toContainText(onHistory);
    await page.goto('/');
    await settled(page);
    await expect(changed).toContainText(onOverview);
    await page.unroute(/\/api\/v1\/history\?changed=true/);
  }
});
