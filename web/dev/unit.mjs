// Bundles the unit tests with the tool that builds the page, and lets node run them.
import { buildSync } from 'esbuild';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const web = join(dirname(fileURLToPath(import.meta.url)), '..');
const entryPoints = readdirSync(join(web, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(web, 'src', name)).filter((file) => file.endsWith('.test.ts')).map((file) => join(web, 'src', name, file)));
if (entryPoints.length === 0) throw new Error('there are no unit tests');
buildSync({ entryPoints, bundle: true, platform: 'node', format: 'esm', outdir: join(web, '.unit'), outExtension: { '.js': '.mjs' }, outbase: join(web, 'src') });
const files = entryPoints.map((file) => join(web, '.unit', file.slice(join(web, 'src').length).replace(/\.ts$/, '.mjs')));
process.exit(spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status ?? 1);
