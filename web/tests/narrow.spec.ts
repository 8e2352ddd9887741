// 390 px: a table that goes on beyond the edge says so, fades there, and keeps its first column in sight.
import { expect, settled, test } from './watched';

test('a table that is wider than the page says so, and its first column stays', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/workloads/ch09/softmax');
  await settled(page);
  const table = page.getByRole('region', { name: 'Ladder' }).locator('.wide');
  const cue = () => table.evaluate((element) => getComputedStyle(element, '::before').content);
  const mask = () => table.evaluate((element) => getComputedStyle(element).maskImage);
  const first = table.locator('tbody tr').first().locator('td').first();
  await expect(table).toHaveAttribute('data-more', 'right');
  expect(await cue()).toContain('scroll sideways');
  expect(await mask()).toContain('gradient');
  const before = (await first.boundingBox())!.x;
  await table.evaluate((element) => (element.scrollLeft = 120));
  await expect(table).toHaveAttribute('data-more', 'both');
  expect((await first.boundingBox())!.x).toBeGreaterThan(before - 16);
  await table.evaluate((element) => (element.scrollLeft = element.scrollWidth));
  await expect(table).toHaveAttribute('data-more', 'left');
  expect(await mask()).toBe('none');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(table).not.toHaveAttribute('data-more');
  expect(await cue()).toBe('none');
});
