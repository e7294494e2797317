import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUNDLED_PROGRAMS, PROGRAMS } from '@causeway/testing/bundled-programs';
import { build, type Plugin } from 'rolldown';
import { REPOSITORY } from './build-folder.ts';

// Bundles the programs that tests start, for `pnpm test`. Unlike the production folder, what they read at run time is
// where the sources have it, and there are no source maps, which take time in each process.

const bundled = new Map(
  PROGRAMS.map((program) => [
    path.join(REPOSITORY, program),
    path.join(BUNDLED_PROGRAMS, program.replace(/ts$/, 'js')),
  ]),
);

/** A module's `import.meta` says where its source is, but a program that it names is the bundled one. */
const stayAtSources: Plugin = {
  name: 'stay-at-sources',
  transform(code, id) {
    if (id.includes('/node_modules/') || !code.includes('import.meta.')) return null;
    return {
      code: code
        .replaceAll(/'(\.[^']+\.ts)'/g, (whole, name: string) => {
          const file = bundled.get(path.resolve(path.dirname(id), name));
          return file === undefined ? whole : JSON.stringify(file);
        })
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
      map: null,
    };
  },
};

await rm(BUNDLED_PROGRAMS, { recursive: true, force: true });
await build({
  cwd: REPOSITORY,
  input: Object.fromEntries(PROGRAMS.map((program) => [program.replace(/\.ts$/, ''), program])),
  platform: 'node',
  tsconfig: false,
  plugins: [stayAtSources],
  output: { dir: BUNDLED_PROGRAMS, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
  logLevel: 'warn',
});
