import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Published, publish } from '../answers/publish.ts';

/** What the browser is told of a file, by the end of its name; no other file is served. */
const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

export interface ConsoleFile extends Published {
  type: string;
}

/** The console as it was built: its page, and each file of `assets` under its name. */
export interface ConsoleFiles {
  page: string;
  assets: ReadonlyMap<string, ConsoleFile>;
}

/**
 * Reads all of the console once: a request can only name what is known, and never reaches the disk. Undefined if it was
 * not built.
 */
export async function loadFiles(folder: URL): Promise<ConsoleFiles | undefined> {
  const page = await readFile(new URL('index.html', folder), 'utf8').catch(() => undefined);
  if (page === undefined) return undefined;
  const assets = new URL('assets/', folder);
  const files = (await readdir(assets)).flatMap((name) => {
    const type = TYPES[path.extname(name)];
    return type === undefined ? [] : [{ name, type }];
  });
  const read = await Promise.all(
    files.map(async ({ name, type }) => {
      return [name, { ...publish(await readFile(new URL(name, assets))), type }] as const;
    }),
  );
  return { page, assets: new Map(read) };
}
