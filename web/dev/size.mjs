// What the first page costs: everything that index.html asks for and the chunk of the overview, compressed.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const limit = 150 * 1000;
const size = (path) => gzipSync(readFileSync(join(dist, path)), { level: 9 }).length;
const html = readFileSync(join(dist, 'index.html'), 'utf8');
const first = new Set(['index.html', ...[...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1])]);

/** Follows static imports of a chunk; a page's own imports count, those it asks for later do not. */
function follow(path) {
  if (first.has(path) && path !== 'index.html') void 0;
  first.add(path);
  if (!path.endsWith('.js')) return;
  for (const [, name] of readFileSync(join(dist, path), 'utf8').matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) if (!first.has(`assets/${name}`)) follow(`assets/${name}`);
}
const assets = readdirSync(join(dist, 'assets'));
for (const path of [...first]) follow(path);
for (const name of assets) if (name.startsWith('Overview-')) follow(`assets/${name}`);

let total = 0;
for (const path of first) total += size(path);
const all = ['index.html', ...assets.map((name) => `assets/${name}`)].reduce((sum, path) => sum + size(path), 0);
console.log(`first page: ${total} bytes compressed in ${first.size} files (limit ${limit}); everything: ${all} bytes in ${assets.length + 1} files`);
if (total > limit) process.exit(1);
