// Built files are committed and embedded into the program, so the build must give the same bytes everywhere: no
// source maps, no dates, names from content.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const server = process.env.AISP_URL ?? 'http://127.0.0.1:8100';

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    sourcemap: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // A data: URL for a small file would need more than `default-src 'self'`.
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        // Drawing is the largest part and most pages share it; the first page goes without.
        manualChunks: (id) => {
          if (/node_modules\/(@observablehq|d3|d3-[a-z-]+|internmap|interval-tree-1d|binary-search-bounds|isoformat)\//.test(id)) return 'plot';
          // One file instead of twenty of a kilobyte each.
          if (/\/src\/(parts|format|api|shell)\//.test(id) && !/Compare|WorkloadPicker/.test(id)) return 'parts';
          return undefined;
        },
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': server } },
});
