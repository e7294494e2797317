import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** No process works on a draft for this long. */
const OLD_DRAFT_MS = 600_000;
const DRAFT = /^[a-z-]+\.(?<pid>\d+)-(?<token>[0-9a-f]{12})(?:\.password)?$/;

/** The drafts of this process: in a container, a killed process may have had the same process id. */
const own = new Set<string>();

/** A name for something that is created beside its final path and moved there. It contains the process id. */
export function newDraft(target: string): string {
  const token = randomBytes(6).toString('hex');
  own.add(token);
  return `${target}.${process.pid}-${token}`;
}

/** Removes the drafts of a start that was killed: a draft contains a secret. */
export async function removeOldDrafts(dataDirectory: string): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    const file = path.join(dataDirectory, name);
    if (!(await isAbandoned(name, file))) continue;
    // An initdb that outlived its service may still be writing there: then the next start removes it.
    await rm(file, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

async function isAbandoned(name: string, file: string): Promise<boolean> {
  const { pid, token = '' } = DRAFT.exec(name)?.groups ?? {};
  if (pid === undefined || own.has(token)) return false;
  if (Number(pid) === process.pid || !isAlive(Number(pid))) return true;
  const age = Date.now() - (await stat(file).then(({ mtimeMs }) => mtimeMs, Date.now));
  return age > OLD_DRAFT_MS;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process cannot be queried.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
