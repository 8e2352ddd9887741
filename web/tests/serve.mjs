// Serves the store that AISP_STORE or the second argument names: the real server where the program has one, else the stand-in. Ends after 30 minutes.
import { execFileSync, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const program = process.env.AISP ?? join(web, '..', 'build', 'cpu', 'aisp');
const port = process.argv[2] ?? '8197';
if (process.argv[3]) process.env.AISP_STORE = process.argv[3];

function serves() {
  try {
    return execFileSync(program, ['help', 'serve'], { encoding: 'utf8' }).includes('--port');
  } catch {
    return false;
  }
}
const child = serves()
  ? spawn(program, ['serve', '--port', port, '--allow-runs'], { stdio: 'inherit' })
  : spawn(process.execPath, [join(web, 'dev', 'mock.mjs'), port], { stdio: 'inherit', cwd: web, env: { ...process.env, AISP: program } });
const limit = setTimeout(() => child.kill(), 30 * 60 * 1000);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  clearTimeout(limit);
  process.exit(code ?? 0);
});
