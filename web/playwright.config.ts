// Every page in a real Chromium against a real server with a real store. AISP_URL names a server that runs already;
// else AISP (a program) and AISP_STORE (its results) are served by tests/serve.mjs. A second server has no results.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const port = Number(process.env.AISP_PORT ?? 8197);
const given = process.env.AISP_URL;
export const token = process.env.AISP_TOKEN ?? 'a-token-that-only-the-tests-know';
process.env.AISP_TOKEN = token;
process.env.AISP_EMPTY_URL = `http://127.0.0.1:${port + 1}`;

const served = (at: number, store = '') => ({ command: `node tests/serve.mjs ${at} ${store}`, url: `http://127.0.0.1:${at}/`, timeout: 60_000, reuseExistingServer: false });

export default defineConfig({
  testDir: 'tests',
  testMatch: '*.spec.ts',
  fullyParallel: false,
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    baseURL: given ?? `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height: 900 },
    colorScheme: 'light',
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] },
  },
  webServer: [...(given ? [] : [served(port)]), served(port + 1, join(tmpdir(), `aisp-no-results-${process.pid}.db`))],
});
