import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** A file system of a few hundred megabytes that can be filled to its last byte. */
export interface SmallDisk extends AsyncDisposable {
  directory: string;
  /** Fills the disk and leaves this many bytes free, by default none. */
  fill(leaveBytes?: number): Promise<void>;
  /** Frees the filled space. */
  free(): Promise<void>;
}

const run = promisify(execFile);
const BLOCK = Buffer.alloc(1 << 20);

/** Scenarios that need one are skipped if it cannot be mounted. */
export async function canMountSmallDisk(): Promise<boolean> {
  const disk = await mountSmallDisk(1).catch(() => undefined);
  await disk?.[Symbol.asyncDispose]();
  return disk !== undefined;
}

/** Mounts one in memory, which requires Linux and root; otherwise throws an Error that says so. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const directory = await mkdtemp(path.join(tmpdir(), 'causeway-small-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'causeway-torture', directory]);
  } catch (cause) {
    await rm(directory, { recursive: true });
    throw new Error('A small file system cannot be mounted here: it takes Linux, and root.', { cause });
  }
  const ballast = path.join(directory, 'ballast');
  return {
    directory,
    async fill(leaveBytes = 0) {
      await using file = await open(ballast, 'a');
      for (;;) {
        const { blocks, bavail, bsize } = await statfs(directory);
        if (blocks * bsize > megabytes * BLOCK.length) throw new Error('This is not the small file system any more.');
        const length = Math.min(BLOCK.length, bavail * bsize - leaveBytes);
        if (length <= 0) return;
        const isFull = await file.write(BLOCK, 0, length).then(() => false, isDiskFull);
        if (isFull) return;
      }
    },
    free: () => rm(ballast, { force: true }),
    async [Symbol.asyncDispose]() {
      await run('umount', ['--lazy', directory]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function isDiskFull(error: unknown): boolean {
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return true;
  throw error;
}
