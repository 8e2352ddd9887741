// What holds for all pages: they load as deep links, in both colours, wide and narrow, and pass axe.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pages } from './pages';
import { expect, settled, test } from './watched';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

for (const { name, path, shows } of pages) {
  test(`${name}: loads as a deep link, fits 1280 and 390 px, passes axe in light and dark`, async ({ page }) => {
    await page.goto(path);
    await settled(page);
    await expect(page.locator('main')).toContainText(shows);
    await expect(page).toHaveTitle(/ · aisp$/);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Evaluated by the debugger, so the content security policy stays in force for the page.
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => {
        const checker = (window as unknown as { axe: { run: (what: Document, options: object) => Promise<{ violations: Violation[] }> } }).axe;
        return (await checker.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'] })).violations;
      });
      expect(violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)).toEqual([]);
    }
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
