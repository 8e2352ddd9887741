// What holds for all pages: they load as deep links, in both colours, wide and narrow, and pass axe.
import { violations } from './axe';
import { pages } from './pages';
import { expect, settled, test } from './watched';

for (const { name, path, shows } of pages) {
  test(`${name}: loads as a deep link, fits 1280 and 390 px, passes axe in light and dark`, async ({ page }) => {
    await page.goto(path);
    await settled(page);
    await expect(page.locator('main')).toContainText(shows);
    await expect(page).toHaveTitle(/ · aisp$/);
    expect(await violations(page)).toEqual([]);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(200);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `overflow at ${width}`).toBeLessThanOrEqual(0);
    }
  });
}

test('every drawing names its axes with units and has a label', async ({ page }) => {
  for (const path of ['/workloads/ch09/sgemm', '/trade-offs?workload=ch09', '/scaling?workload=ch08', '/history?workload=ch08', '/machine']) {
    await page.goto(path);
    await settled(page);
    const drawings = page.locator('svg.plot');
    await expect(drawings.first(), path).toBeVisible();
    for (const drawing of await drawings.all()) {
      expect(await drawing.getAttribute('aria-label')).toBeTruthy();
      expect(await drawing.textContent()).toMatch(/\([^)]*(s|B|iB|FLOP\/s|GB\/s|GOP\/s|size|count|times|items\/s)(, log scale|, oldest first)?\)/);
    }
    await expect(page.locator('svg style')).toHaveCount(0);
  }
});
