import path from 'node:path';
import { build } from 'vite';

// node apps/console/build/bundle/main.ts FOLDER: a process of its own, since only the environment tells Vite and React
// that it is for production; the tests' environment says otherwise.
process.env.NODE_ENV = 'production';
await build({
  root: path.resolve(import.meta.dirname, '../..'),
  logLevel: 'warn',
  build: { outDir: process.argv[2] ?? 'dist', emptyOutDir: true },
});
