import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundle } from '@causeway/cli/bundle';

/** Where the service finds the command line that it serves. */
const PLACE = 'apps/cli/dist/causeway.mjs';

/**
 * Writes the command line as one file into `target`.
 *
 * @returns the files that went into it
 */
export async function bundleCommandLine(target: string): Promise<string[]> {
  const file = path.join(target, PLACE);
  const { text, inputs } = await bundle();
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return inputs;
}
