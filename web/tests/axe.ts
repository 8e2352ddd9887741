// What axe finds wrong with a page as it stands, in light and dark.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

export async function violations(page: Page): Promise<string[]> {
  const all: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Evaluated by the debugger, so the content security policy stays in force for the page.
    await page.evaluate(axe);
    const found = await page.evaluate(async () => {
      const checker = (window as unknown as { axe: { run: (what: Document, options: object) => Promise<{ violations: Violation[] }> } }).axe;
      return (await checker.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'] })).violations;
    });
    all.push(...found.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`));
  }
  return all;
}
