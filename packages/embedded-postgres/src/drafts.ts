import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Nobody works on a draft for so long. */
const OLD_DRAFT_MS = 600_000;
const DRAFT = /^[a-z-]+\.(?<pid>\d+)-(?<token>[0-9a-f]{12})(?:\.password)?$/;
/** What versions before this one called theirs, without their process. */
const NAMELESS_DRAFT = /^postgres(?:-password)?\.[0-9a-f]{12}(?:\.password)?$/;

/** Those of this process: with a container's few process numbers, a killed one may have had its number. */
const own = new Set<string>();

/** A name for what is made beside its final place and moved there. It tells which process works on it. */
export function newDraft(target: string): string {
  const token = randomBytes(6).toString('hex');
  own.add(token);
  return `${target}.${process.pid}-${token}`;
}

/** Removes what a start that was killed half-way left behind: a draft holds a secret. */
export async function removeOldDrafts(dataDirectory: string): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    const file = path.join(dataDirectory, name);
    if (!(await isAbandoned(name, file))) continue;
    // An initdb that outlived its service may still write there: then the next start removes it.
    await rm(file, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

async function isAbandoned(name: string, file: string): Promise<boolean> {
  const { pid, token = '' } = DRAFT.exec(name)?.groups ?? {};
  if (pid === undefined && !NAMELESS_DRAFT.test(name)) return false;
  if (own.has(token)) return false;
  if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))) return true;
  const age = Date.now() - (await stat(file).then(({ mtimeMs }) => mtimeMs, Date.now));
  return age > OLD_DRAFT_MS;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process may not be asked.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
