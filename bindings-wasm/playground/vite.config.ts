import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  // The folder works wherever it is put, below any path.
  base: './',
  build: { target: 'es2022', outDir: 'dist', emptyOutDir: true, modulePreload: false, assetsInlineLimit: 0 },
});
