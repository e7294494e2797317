import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileOfProgram } from './bundled-programs.ts';
import { CACHE } from './cache.ts';

const SERVICE = fileOfProgram('apps/api/src/service.ts');
/** Bundled anew, it is to be compiled anew. */
const COMPILED = path.join(process.env.BUNDLED_PROGRAMS ?? CACHE, 'service-compiled');

/** With this variable Node keeps the modules that it has compiled: to compile them is most of what a start costs. */
export const COMPILED_MODULES = { NODE_COMPILE_CACHE: path.join(CACHE, 'compiled') };

/** The variables of every process of Causeway that a test starts. */
export const OF_EVERY_PROCESS = { PATH: process.env.PATH, ...COMPILED_MODULES };

let compiled: Promise<void> | undefined;

async function compile(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  await promisify(execFile)(process.execPath, ['--import', SERVICE, '--eval', ''], { env: OF_EVERY_PROCESS });
  await writeFile(COMPILED, '');
}

/** Compiles the service's modules, unless a run has: a process that is killed keeps nothing of what it compiled. */
export async function keepCompiled(): Promise<void> {
  if (existsSync(COMPILED)) return;
  compiled ??= compile();
  await compiled;
}
