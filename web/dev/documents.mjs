// The documents of the server's routes, made of what the program prints.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const missing = (what) => Object.assign(new Error(`there is no ${what}`), { status: 404, hint: '' });
const flags = (query, names) => names.flatMap((name) => query.getAll(name).flatMap((value) => [`--${name}`, value]));
const targets = (query) => query.getAll('workload').filter(Boolean);

export function documents(aisp) {
  const token = process.env.AISP_TOKEN ?? '';
  let job = null;

  async function summary() {
    const [list, board, runs] = await Promise.all([aisp('list'), aisp('leaderboard', '--top', '10'), aisp('show', '--runs', '--limit', '1000')]);
    const rejected = [];
    const verdicts = { valid: 0, unproven: 0, invalid: 0, failed: 0 };
    const measured = new Set();
    for (const run of runs.runs.slice(0, 5)) {
      for (const cell of (await aisp('show', run.id)).cells) {
        measured.add(cell.workload);
        for (const { name, validity, findings } of cell.variants) {
          verdicts[validity] += 1;
          if (validity === 'invalid' || validity === 'failed') rejected.push({ hardware: run.hardware, workload: cell.workload, parameters: cell.parameters, device: cell.device, variant: name, validity, run: run.id, finished: cell.finished, reasons: findings.filter(({ level, waived }) => level === 'reject' && !waived) });
        }
      }
    }
    const cells = runs.runs.reduce((sum, run) => sum + run.cells, 0);
    return { schema: 'aisp.summary', schema_version: 1, store: { runs: runs.runs.length, cells, last_event: 0 }, workloads: { known: list.workloads.length, measured: measured.size }, hardware: [], verdicts, leaders: board.leaders, rejected, memory: [], recent: runs.runs.slice(0, 10) };
  }

  async function workload(id) {
    const workloads = (await aisp('list')).workloads.filter((each) => each.id === id);
    const results = [];
    for (const { id: run, hardware } of (await aisp('show', '--runs', '--limit', '30')).runs) {
      const { cells } = await aisp('show', run);
      cells.forEach((cell, index) => {
        if (cell.workload !== id || results.some((each) => each.parameters === cell.parameters && each.device === cell.device)) return;
        for (const { name, validity } of cell.variants) results.push({ hardware, workload: id, parameters: cell.parameters, device: cell.device, cache: cell.cache, variant: name, run, finished: cell.finished, validity, cell: index });
      });
    }
    if (!workloads.length && !results.length) throw missing(`workload '${id}'`);
    const source = workloads.flatMap(({ source: path }) => {
      try {
        return [{ path, text: readFileSync(join('..', path.replace(/^(\.\.\/)+/, '')), 'utf8') }];
      } catch {
        return [];
      }
    });
    return { schema: 'aisp.workload', schema_version: 1, id, workloads, source, results };
  }

  async function machine() {
    const [hardware, doctor, peak] = await Promise.all([aisp('utils', 'probe-hw'), aisp('doctor'), process.env.MOCK_PEAK ? JSON.parse(readFileSync(process.env.MOCK_PEAK, 'utf8')) : null]);
    return { schema: 'aisp.machine', schema_version: 1, hardware: peak?.hardware ?? '', parts: hardware.parts, findings: doctor.findings, ceilings: peak ? [peak] : [] };
  }

  async function start(request) {
    if (request.headers.authorization !== `Bearer ${token}` || !token) throw Object.assign(new Error('the token is missing or wrong'), { status: 401, hint: 'the server printed it when it started' });
    if (request.method === 'DELETE') job = { ...job, state: 'finished', exit_code: 130 };
    else {
      const body = JSON.parse(await new Promise((resolve) => {
        let text = '';
        request.on('data', (part) => (text += part)).on('end', () => resolve(text));
      }));
      job = { id: 1, state: 'running', command: ['run', ...body.targets], started: new Date().toISOString(), finished: null, exit_code: null, lines: [] };
      aisp('run', ...body.targets, '--suite', body.suite ?? 'quick', '--cell-seconds', String(body['cell-seconds'] ?? 1), '--quiet').catch(() => {}).then(() => (job = { ...job, state: 'finished', exit_code: 0, lines: ['done'] }));
    }
    return { schema: 'aisp.job', schema_version: 1, job, allowed: true };
  }

  async function answer(request, path, query) {
    if ((path === 'runs' && request.method === 'POST') || request.method === 'DELETE') return start(request);
    const all = targets(query);
    const device = flags(query, ['device']);
    const top = flags(query, ['top']);
    switch (path) {
      case 'benchmarks': return aisp('list');
      case 'summary': return summary();
      case 'runs': return { ...(await aisp('show', '--runs', '--limit', query.get('limit') ?? '20')), next: null };
      case 'runs/current': return { schema: 'aisp.job', schema_version: 1, job, allowed: Boolean(token) };
      case 'analysis/leaderboards': return aisp('leaderboard', ...all, ...device, ...top);
      case 'analysis/pareto': return aisp('pareto', ...all, ...device, ...top);
      case 'analysis/tradeoffs': return aisp('tradeoffs', ...all, ...device, ...top);
      case 'analysis/recommendations': return aisp('recommendations', ...all, ...device, ...top);
      case 'analysis/whatif': return aisp('whatif', ...all, ...device, ...top, ...flags(query, ['vram', 'latency', 'max-error', 'param']));
      case 'analysis/power': return aisp('power', ...all, ...device);
      case 'analysis/cost': return aisp('cost', ...all, ...device, ...top, ...flags(query, ['gpu', 'rate']));
      case 'analysis/scaling': return aisp('scaling', ...all, ...device);
      case 'history': return aisp('history', ...all, '--all', ...flags(query, ['hardware', 'since']));
      case 'compare':
        if (query.get('run')) throw Object.assign(new Error('variants of a stored run are compared by the real server only'), { status: 404, hint: '' });
        return aisp('compare', query.get('first'), query.get('second'), ...(query.get('across') ? ['--across'] : []));
      case 'guards': return aisp('explain');
      case 'machine': return machine();
      default:
    }
    const cell = /^runs\/([^/]+)\/cells\/(\d+)$/.exec(path);
    if (cell) {
      const run = await aisp('show', cell[1]);
      const found = run.cells[Number(cell[2])];
      if (!found) throw missing(`cell ${cell[2]}`);
      return { schema: 'aisp.cell', schema_version: 1, run: run.id, index: Number(cell[2]), cells: run.cells.length, hardware: run.manifest.hardware, cell: found };
    }
    if (path.startsWith('runs/')) return aisp('show', decodeURIComponent(path.slice(5)));
    if (path.startsWith('workloads/')) return workload(path.slice(10).split('/').map(decodeURIComponent).join('/'));
    throw missing(`route ${path}`);
  }

  /** Looks every second which runs there are; the real server reads the store's events. */
  function events(request, response) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write('event: hello\ndata: {"last":0}\n\n');
    const known = new Map();
    let first = true;
    let seq = 0;
    const look = setInterval(async () => {
      const runs = (await aisp('show', '--runs').catch(() => ({ runs: [] }))).runs;
      for (const run of runs) {
        const before = known.get(run.id);
        known.set(run.id, run);
        if (first || before?.status === run.status) continue;
        response.write(`id: ${++seq}\nevent: ${before ? 'run_finished' : 'run_started'}\ndata: ${JSON.stringify({ seq, kind: before ? 'run_finished' : 'run_started', run: run.id, workload: '', parameters: '', device: '', hardware: run.hardware, validity: '', created: run.started })}\n\n`);
      }
      first = false;
      if (job) response.write(`event: job\ndata: ${JSON.stringify({ schema: 'aisp.job', schema_version: 1, job, allowed: true })}\n\n`);
    }, 1000);
    request.on('close', () => clearInterval(look));
  }

  return { answer, events };
}
