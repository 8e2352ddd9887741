// The same store, read twice: what a page writes in its tables is, digit for digit, what the command line writes.
import { execFileSync } from 'node:child_process';
import { expect, settled, test } from './watched';

interface Row {
  workload: string;
  variant: string;
  time: string;
  ratio: string;
  ceiling: string;
  memory: string;
}

/** The ladders of the cells of a run, from `aisp report --format markdown`. */
function told(run: string): Row[] {
  const text = execFileSync(process.env.AISP!, ['report', run, '--format', 'markdown', '--store', process.env.AISP_STORE!], { encoding: 'utf8' });
  const rows: Row[] = [];
  for (const [, title, body] of text.matchAll(/<summary><code>(.*?)<\/code><\/summary>\n([\s\S]*?)<\/details>/g)) {
    const lines = body!.split('\n').filter((line) => line.startsWith('| '));
    const names = lines[0]!.split('|').map((name) => name.trim());
    for (const line of lines.slice(1)) {
      const cells = line.split('|').map((cell) => cell.trim());
      const of = (name: string) => cells[names.indexOf(name)] ?? '–';
      rows.push({ workload: title!, variant: /^`(.*?)`/.exec(cells[1]!)![1]!, time: of('time'), ratio: of('speed-up'), ceiling: of('ceiling'), memory: of('memory') });
    }
  }
  return rows;
}

for (const workload of ['ch09/sgemm', 'ch08/ilp', 'made/pair']) {
  test(`figures: ${workload} has the digits of the command line`, async ({ page, request }) => {
    const { runs } = (await (await request.get(`/api/v1/runs?limit=1&workload=${workload}`)).json()) as { runs: { id: string }[] };
    const run = runs[0]!.id;
    const { cells } = (await (await request.get(`/api/v1/runs/${run}?samples=false&evidence=false`)).json()) as { cells: { workload: string; parameters: string }[] };
    const at = cells.findIndex((cell) => cell.workload === workload);
    const title = `${workload} ${cells[at]!.parameters}`;
    const rows = told(run).filter((row) => row.workload === title);
    expect(rows.length, title).toBeGreaterThan(1);
    await page.goto(`/workloads/${workload}?run=${run}&cell=${at}`);
    await settled(page);
    const ladder = page.getByRole('region', { name: 'Ladder' });
    for (const { variant, time, ratio, ceiling, memory } of rows) {
      const row = ladder.locator('tbody tr').filter({ has: page.locator('td:first-child > .mono', { hasText: new RegExp(`^${variant.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) }) });
      const shown = (await row.locator('td').allTextContents()).map((text) => text.trim());
      if (time !== '–') expect(shown[1], variant).toBe(time);
      if (ratio !== '–') expect(shown[2], variant).toBe(ratio);
      if (ceiling !== '–') expect(shown[4], variant).toBe(ceiling);
      if (memory !== '–') expect(shown[5], variant).toBe(memory);
    }
    // On a machine that others use a measured cell may be all rejected; a made-up one has a ratio.
    expect(rows.filter(({ time }) => time !== '–').length).toBeGreaterThan(1);
    if (workload.startsWith('made/')) expect(rows.filter(({ ratio }) => ratio.includes('x')).length).toBeGreaterThan(0);
  });
}
