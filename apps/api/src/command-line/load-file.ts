import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildInfo } from '../build-info.ts';

const COMMAND_LINE = new URL('../../../cli/', import.meta.url);
const MAX_BYTES = 16_777_216;

/**
 * The command line as one file. The production folder contains it; in the repository a process builds it, in a second,
 * so that no start waits for it and what is served is what the sources say.
 */
export async function loadFile(): Promise<Buffer> {
  if (buildInfo.isBuilt) return readFile(new URL('dist/causeway.mjs', COMMAND_LINE));
  const program = fileURLToPath(new URL('src/build/main.ts', COMMAND_LINE));
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    encoding: 'buffer',
    maxBuffer: MAX_BYTES,
  });
  return stdout;
}
