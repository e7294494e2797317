import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../../frame/failure.ts';
import { openOwnFile } from '../../frame/own-file.ts';

/** What a file had when it was last known to be complete. */
export interface Mark {
  bytes: number;
  /** SHA-256 of these bytes. */
  sha256: string;
}

/** A file that is only appended to. What is added is written with the next checkpoint. */
export interface Journal {
  add(line: Buffer | string): void;
  /** How many bytes wait to be written. */
  readonly waiting: number;
  /** Takes what waits. `mark` is what the file has once `write` has put it on the disk. */
  take(): { mark: Mark; write(): Promise<void> };
  close(): Promise<void>;
}

/**
 * Opens the file of an earlier run and cuts off what was written after its last checkpoint, or begins an empty one.
 * Throws a Failure if it is not the file that the run has left.
 */
export async function openJournal(file: string, last: Mark = { bytes: 0, sha256: '' }): Promise<Journal> {
  const hash = createHash('sha256');
  let { bytes } = last;
  if (bytes > 0) {
    await pipeline(createReadStream(file, { end: bytes - 1 }), hash, { end: false }).catch((error) => {
      throw error.code === 'ENOENT' ? notAsLeft(file) : error;
    });
    if (hash.copy().digest('hex') !== last.sha256) throw notAsLeft(file);
  }
  const handle = await openOwnFile(file, bytes === 0 ? 'anew' : 'further');
  await handle.truncate(bytes);
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  return {
    get waiting() {
      return waitingBytes;
    },
    add(line) {
      const added = typeof line === 'string' ? Buffer.from(line) : line;
      waiting.push(added);
      waitingBytes += added.length;
      hash.update(added);
    },
    take() {
      const taken = Buffer.concat(waiting);
      const start = bytes;
      bytes += taken.length;
      [waiting, waitingBytes] = [[], 0];
      return { mark: { bytes, sha256: hash.copy().digest('hex') }, write: () => append(handle, taken, start) };
    },
    close: () => handle.close(),
  };
}

async function append(handle: FileHandle, bytes: Buffer, start: number): Promise<void> {
  if (bytes.length === 0) return;
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, start + done);
    done += bytesWritten;
  }
  await handle.sync();
}

function notAsLeft(file: string): Failure {
  return new Failure('usage', `${file} was changed after the last run, so the run cannot continue.`, {
    lines: [
      '  Did you fix it in place? Keep your copy under another name, remove the folder, and run the command',
      '  again: what is moved already is not moved twice.',
    ],
  });
}
