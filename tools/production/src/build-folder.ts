import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundle } from './bundle.ts';
import { bundleCommandLine } from './bundle-command-line.ts';
import { copyFiles, NODE_MAJOR } from './copy-files.ts';
import { readCommit } from './read-commit.ts';

export const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

/** What the service reads of itself: `build-info.ts` of apps/api. */
export interface Manifest {
  name: string;
  version: string;
  commit: string;
}

/** Makes the production folder anew: it runs with `node main.js` and Node alone. */
export async function buildFolder(target: string): Promise<{ manifest: Manifest; bundled: string[] }> {
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const [service, commandLine, manifest] = await Promise.all([
    bundle(REPOSITORY, target),
    bundleCommandLine(target),
    writeManifest(target),
    copyFiles(REPOSITORY, target),
  ]);
  return { manifest, bundled: [...service, ...commandLine] };
}

async function writeManifest(target: string): Promise<Manifest> {
  const { name, version } = JSON.parse(await readFile(path.join(REPOSITORY, 'package.json'), 'utf8')) as Manifest;
  const manifest = { name, version, commit: readCommit(REPOSITORY) };
  const text = JSON.stringify(
    { ...manifest, private: true, type: 'module', engines: { node: `>=${NODE_MAJOR}` } },
    null,
    2,
  );
  await writeFile(path.join(target, 'package.json'), `${text}\n`);
  return manifest;
}
