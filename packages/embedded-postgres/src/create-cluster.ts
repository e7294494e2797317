import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeDataDirectory } from './data-directory.ts';
import { newDraft, removeOldDrafts } from './drafts.ts';
import { keepSecret } from './keep-secret.ts';
import { callProgram, type ServerUser, serverUser } from './server-program.ts';

/** The superuser of an embedded server. */
export const SUPERUSER = 'causeway';

/** A PostgreSQL cluster on disk. */
export interface Cluster {
  /** Holds the cluster, the password's file and the server's log. */
  dataDirectory: string;
  /** PostgreSQL's own data directory, without symbolic links. */
  directory: string;
  password: string;
  user: ServerUser;
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Runs initdb beside the final path and moves the result there, so that a half-created cluster is never visible. */
async function initialise(cluster: Cluster, sync: boolean): Promise<void> {
  const draft = newDraft(cluster.directory);
  const passwordFile = `${draft}.password`;
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, cluster.password, { mode: 0o600 });
    if (cluster.user !== undefined) {
      await chown(draft, cluster.user.uid, cluster.user.gid);
      await chown(passwordFile, cluster.user.uid, cluster.user.gid);
    }
    // Text is compared byte by byte, whatever the machine's locale.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const call = callProgram('initdb', [`--pgdata=${draft}`, ...locale, ...access, ...(sync ? [] : ['--no-sync'])], {
      directory: cluster.dataDirectory,
      user: cluster.user,
    });
    await promisify(execFile)(call.command, call.arguments, call.options);
    await rename(draft, cluster.directory);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * The cluster of a data directory, created if it does not exist. Safe for concurrent processes.
 *
 * @param options.sync whether a new cluster is flushed to disk before it is used
 * @throws if the directory is not writable, or the password's file beside an existing cluster was removed
 */
export async function createCluster(options: { dataDirectory: string; sync: boolean }): Promise<Cluster> {
  const dataDirectory = await makeDataDirectory(options.dataDirectory);
  await removeOldDrafts(dataDirectory);
  const directory = path.join(dataDirectory, 'postgres');
  const passwordFile = path.join(dataDirectory, 'postgres-password');
  const exists = existsSync(path.join(directory, 'PG_VERSION'));
  if (exists && !existsSync(passwordFile)) {
    throw new Error(`${passwordFile} is missing: without it the database in ${directory} cannot be opened.`);
  }
  const password = await keepSecret(passwordFile);
  const cluster = { dataDirectory, directory, password, user: serverUser(directory) };
  if (!exists) await initialise(cluster, options.sync);
  return cluster;
}
