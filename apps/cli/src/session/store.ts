import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { Failure } from '../frame/failure.ts';
import type { Surroundings } from '../frame/surroundings.ts';

/** Where the service is, and the key to it. */
export interface Credentials {
  url: string;
  apiKey: string;
}

type Place = Pick<Surroundings, 'variables'>;

/** `~/.config/causeway/credentials.json`, or below XDG_CONFIG_HOME. */
export function credentialsFile({ variables }: Place): string {
  const home = variables.HOME ?? variables.USERPROFILE ?? homedir();
  return path.join(variables.XDG_CONFIG_HOME || path.join(home, '.config'), 'causeway', 'credentials.json');
}

/** Keeps the credentials of a login, readable by this user alone; replaces those of the login before. */
export async function keepCredentials(place: Place, { url, apiKey }: Credentials): Promise<string> {
  const file = credentialsFile(place);
  const temporary = `${file}.${process.pid}`;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // A new file: the mode of one that was there before would stay what it was, and a link would be written through.
  await rm(temporary, { force: true });
  await writeFile(temporary, `${JSON.stringify({ url, api_key: apiKey }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(temporary, file);
  return file;
}

/** The credentials of the last login; undefined without one. */
export async function readCredentials(place: Place): Promise<Credentials | undefined> {
  const file = credentialsFile(place);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Failure('usage', `${file} cannot be read: ${error.message}.`);
  });
  if (text === undefined) return undefined;
  try {
    const { url, api_key: apiKey } = JSON.parse(text);
    if (typeof url === 'string' && typeof apiKey === 'string') return { url, apiKey };
  } catch {}
  throw new Failure('usage', `${file} is not what causeway login writes. Log in again.`);
}

/** Forgets the login. Whether there was one. */
export async function forgetCredentials(place: Place): Promise<boolean> {
  const there = (await readCredentials(place).catch(() => ({}))) !== undefined;
  await rm(credentialsFile(place), { force: true });
  return there;
}
