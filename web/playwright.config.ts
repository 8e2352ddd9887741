// Every page in a real Chromium against a real server with a real store. AISP_URL names a server that runs already;
// else AISP (a program) and AISP_STORE (its results) are served by tests/serve.mjs.
import { defineConfig } from '@playwright/test';

const port = Number(process.env.AISP_PORT ?? 8197);
const given = process.env.AISP_URL;
export const token = process.env.AISP_TOKEN ?? 'a-token-that-only-the-tests-know';
process.env.AISP_TOKEN = token;

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
  ...(given ? {} : { webServer: { command: `node tests/serve.mjs ${port}`, url: `http://127.0.0.1:${port}/`, timeout: 60_000, reuseExistingServer: false } }),
});
