import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unreadable } from './book.ts';

/**
 * Tells a book from another one under the same names: SHA-256, in hexadecimal digits, of the size and the bytes of each
 * file. Each file is a regular one.
 */
export async function digestOfBook(files: readonly string[], { directory }: { directory: string }): Promise<string> {
  const digest = createHash('sha256');
  for (const name of files) {
    const file = path.resolve(directory, name);
    try {
      digest.update(`${(await stat(file)).size}\n`);
      await pipeline(createReadStream(file, { highWaterMark: 1_048_576 }), digest, { end: false });
    } catch (error) {
      throw unreadable(name, error as NodeJS.ErrnoException);
    }
  }
  return digest.digest('hex');
}
