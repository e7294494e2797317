import path from 'node:path';
import type { Plugin } from 'rolldown';

/** The folder of the bundled code, directly in the production folder. */
export const CODE_FOLDER = 'service';

/** A source's path in the repository; without the folders of pnpm, if it is in a package of others. */
export function placeOf(file: string, repository: string): string {
  const place = path.relative(repository, file).split(path.sep).join('/');
  return place.replace(/^.*node_modules\//, 'node_modules/');
}

/**
 * Lets each module of ours find the files beside it as in the sources: `import.meta` means its place in the
 * repository, of which the production folder has a copy with those files alone (`copyFiles`).
 */
export function keepPlaces(repository: string): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      const place = placeOf(id, repository);
      if (/^(\.\.|node_modules)\//.test(place) || !code.includes('import.meta.')) return null;
      const folder = JSON.stringify(`/../${path.posix.dirname(place)}`);
      return {
        code: code
          .replaceAll('import.meta.dirname', `(import.meta.dirname + ${folder})`)
          .replaceAll('import.meta.url', `new URL(${JSON.stringify(`../${place}`)}, import.meta.url).href`),
        // Lines stay where they are.
        map: null,
      };
    },
  };
}
