import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { buildFolder, REPOSITORY } from './build-folder.ts';
import { writeSbom } from './write-sbom.ts';

// Makes the production folder: npx pnpm@12 build [folder]

const MEGABYTE = 1_000_000;

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => statSync(path.join(folder, file)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

const target = path.resolve(process.argv[2] ?? path.join(REPOSITORY, 'dist'));
const built = await buildFolder(target);
const listed = writeSbom(path.join(target, 'sbom.cdx.json'), built);
const { version, commit } = built.manifest;
process.stdout.write(
  `${target}: version ${version} of commit ${commit}, ${Math.ceil(sizeOf(target) / MEGABYTE)} MB, ${listed} packages in sbom.cdx.json\n`,
);
