import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'rolldown';
import { CODE_FOLDER, keepPlaces, placeOf } from './keep-places.ts';

/**
 * Bundles the service, its threads, and the commands `migrate` and `worker`, with all that they import,
 * into `target`. What a start does not need is loaded when it is first used, from a file of its own. Nothing is
 * minified: it would save a quarter of the size and no time.
 *
 * @returns the files that went into it
 */
export async function bundle(repository: string, target: string): Promise<string[]> {
  const folder = path.join(target, CODE_FOLDER);
  const { output } = await build({
    input: {
      main: path.join(repository, 'apps/api/src/main.ts'),
      migrate: path.join(repository, 'apps/api/src/migrate/main.ts'),
      worker: path.join(repository, 'apps/api/src/worker/main.ts'),
      'bulk-thread': path.join(repository, 'apps/api/src/bulk/thread.ts'),
      'render-thread': path.join(repository, 'apps/api/src/emails/render-thread.ts'),
      'part-thread': path.join(repository, 'apps/api/src/bulk/part-thread.ts'),
    },
    platform: 'node',
    tsconfig: false,
    plugins: [keepPlaces(repository)],
    output: {
      dir: folder,
      format: 'esm',
      sourcemap: true,
      sourcemapPathTransform: (source, map) => `../${placeOf(path.resolve(path.dirname(map), source), repository)}`,
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
    },
    logLevel: 'warn',
  });
  const maps = output.filter(({ fileName }) => fileName.endsWith('.map'));
  await Promise.all(maps.map(({ fileName }) => dropSources(path.join(folder, fileName))));
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/** A stack trace needs the places alone, and the sources are most of a map. */
async function dropSources(map: string): Promise<void> {
  const { sourcesContent: _, ...rest } = JSON.parse(await readFile(map, 'utf8'));
  await writeFile(map, JSON.stringify(rest));
}
