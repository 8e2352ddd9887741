// Stands in for `aisp serve` while there is none: the same routes, the documents of the real program. For development
// on loopback only. AISP names the program, AISP_STORE the results; the first argument is the port. With AISP_URL the
// documents come from a real server there, and only the pages from web/dist.
//
//   AISP=../build/cpu/aisp AISP_STORE=results.db node dev/mock.mjs 8100
import { execFile } from 'node:child_process';
import { createServer, request as ask } from 'node:http';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documents } from './documents.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, '..', 'dist');
const program = process.env.AISP ?? join(here, '..', '..', 'build', 'cpu', 'aisp');
const port = Number(process.argv[2] ?? 8100);
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
// Stricter than the program's own: what works here works there.
const policy = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

function aisp(...args) {
  // The program refuses variables of its own kind that it does not know.
  const { AISP, AISP_TOKEN, AISP_URL, ...env } = process.env;
  return new Promise((resolve, reject) => {
    execFile(program, [...args, '--json'], { env, maxBuffer: 1 << 28, timeout: 60000 }, (error, stdout) => {
      let document;
      try {
        document = JSON.parse(stdout);
      } catch {
        return reject(new Error(`${program} ${args.join(' ')}: ${error?.message ?? 'no JSON'}`));
      }
      if (document.schema === 'aisp.error') {
        const status = document.error.code === 2 ? 400 : 404;
        return reject(Object.assign(new Error(document.error.message), { status, hint: document.error.hint }));
      }
      resolve(document);
    });
  });
}

const answers = documents(aisp);

/** Hands a request on to the real server, as if its page had asked. */
function forward(request, response) {
  const target = new URL(request.url ?? '/', process.env.AISP_URL);
  const headers = { ...request.headers, host: target.host };
  if (headers.origin) headers.origin = target.origin;
  const onward = ask(target, { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.headersSent || response.writeHead(502).end());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

async function api(request, response, url) {
  const path = url.pathname.replace(/^\/api\/v1\//, '');
  if (path === 'events') return answers.events(request, response);
  try {
    const document = await answers.answer(request, path, url.searchParams);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache' });
    response.end(JSON.stringify(document));
  } catch (error) {
    response.writeHead(error.status ?? 500, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ error: error.message, hint: error.hint ?? '' }));
  }
}

function file(response, path) {
  const wanted = normalize(join(dist, path));
  const found = wanted.startsWith(dist) && extname(path) && existsSync(wanted) && statSync(wanted).isFile() ? wanted : undefined;
  if (!found && extname(path)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'Content-Type': types[found ? extname(found) : '.html'] ?? 'application/octet-stream', 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' });
  if (found) createReadStream(found).pipe(response);
  else response.end(readFileSync(join(dist, 'index.html')));
}

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (process.env.AISP_URL && url.pathname.startsWith('/api/')) forward(request, response);
  else if (url.pathname.startsWith('/api/v1/')) void api(request, response, url);
  else file(response, url.pathname);
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/`));
