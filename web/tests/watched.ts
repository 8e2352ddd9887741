// A page that must not err: errors of the page, of the console and requests to anywhere else fail the test.
import { expect, test as base, type Page } from '@playwright/test';

export const test = base.extend<{ page: Page }>({
  page: async ({ page, baseURL }, use) => {
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(`page error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol !== 'data:' && url.origin !== new URL(baseURL!).origin) wrong.push(`external request: ${request.url()}`);
    });
    await use(page);
    expect(wrong.filter((each) => !allowed.some((part) => each.includes(part)))).toEqual([]);
    allowed.length = 0;
  },
});
export { expect };

const allowed: string[] = [];
/** For tests that provoke an error: the browser reports a failed request on its console. */
export const expectError = (part: string): void => void allowed.push(part);

/** The heading is there and no part of the page waits for an answer any more. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('main h1').first()).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}
