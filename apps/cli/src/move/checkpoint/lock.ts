import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { Failure } from '../../frame/failure.ts';

/** Those of this process: its own id in a file may be that of one that is dead. */
const held = new Set<string>();

/**
 * Takes a lock file with the id of this process, or throws a Failure if another one holds it. The lock of a dead process
 * is taken over.
 *
 * @returns gives it back
 */
export async function takeLock(file: string, what: string): Promise<() => Promise<void>> {
  const owner = await writeLock(file);
  if (owner !== undefined) {
    if (held.has(file) || isAlive(owner)) throw takenBy(owner, { file, what });
    await removeLockOf(owner, { file, what });
    const other = await writeLock(file);
    if (other !== undefined) throw takenBy(other, { file, what });
  }
  held.add(file);
  return async () => {
    held.delete(file);
    await rm(file, { force: true });
  };
}

/** The owner, if there is one. */
async function writeLock(file: string): Promise<number | undefined> {
  try {
    await writeFile(file, `${process.pid}\n`, { flag: 'wx' });
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return ownerOf(file);
  }
}

const ownerOf = async (file: string) => Number.parseInt(await readFile(file, 'utf8').catch(() => '0'), 10) || 0;

/** By a rename: of two that take it over at once, one finds the lock of the other, and puts it back. */
async function removeLockOf(owner: number, { file, what }: { file: string; what: string }): Promise<void> {
  const aside = `${file}.${process.pid}`;
  await rename(file, aside).catch(() => {});
  const found = await ownerOf(aside);
  if (found === owner) return rm(aside, { force: true });
  await rename(aside, file).catch(() => {});
  throw takenBy(found, { file, what });
}

function isAlive(pid: number): boolean {
  // The same id without a lock of this process: it is that of a process before it, as in a container.
  if (pid === process.pid || pid === 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function takenBy(pid: number, { file, what }: { file: string; what: string }): Failure {
  return new Failure('usage', `${what} is being moved by another run, process ${pid}: wait for its end, or stop it.`, {
    lines: [`  If there is no such run, remove ${file}.`],
  });
}
