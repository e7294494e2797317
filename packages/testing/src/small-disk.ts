import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, writeSync } from 'node:fs';
import { chown, mkdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A disk that can be filled to the last byte. */
export interface SmallDisk {
  /** Where it is mounted. */
  folder: string;
  /** A folder for a tablespace, which belongs to anyone who runs the server with this data directory. */
  tablespaceFolder(dataDirectory: string): Promise<string>;
  fill(): void;
  empty(): Promise<void>;
  unmount(): void;
}

const BLOCK = Buffer.alloc(1 << 20);

/** Whether this user may mount one, and the server of the tests is on this machine. */
export function canMountDisk(): boolean {
  if (process.platform !== 'linux' || process.env.TEST_DATABASE_URL) return false;
  try {
    mountSmallDisk().unmount();
    return true;
  } catch {
    return false;
  }
}

/** Fails where this user may mount none. */
export function mountSmallDisk(megabytes = 8): SmallDisk {
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-test-disk-'));
  chmodSync(folder, 0o755);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]).status !== 0) {
    rmdirSync(folder);
    throw new Error('This user may not mount a disk.');
  }
  const filler = path.join(folder, 'filler');
  return {
    folder,
    async tablespaceFolder(dataDirectory) {
      const tablespace = path.join(folder, 'tablespace');
      const { uid, gid } = await stat(dataDirectory);
      await mkdir(tablespace, { mode: 0o700 });
      await chown(tablespace, uid, gid);
      return tablespace;
    },
    fill() {
      const file = openSync(filler, 'w');
      try {
        while (writeSync(file, BLOCK) > 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    empty: () => rm(filler, { force: true }),
    unmount() {
      spawnSync('umount', ['--lazy', folder]);
      rmdirSync(folder);
    },
  };
}
