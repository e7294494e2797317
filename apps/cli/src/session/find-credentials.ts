import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { type Credentials, readCredentials } from './store.ts';

type Finding = Pick<Context, 'flags' | 'variables' | 'directory'>;

/**
 * Where the service is and the key to it: flags first, then CAUSEWAY_URL and CAUSEWAY_API_KEY, then the login. The
 * login's key goes to the login's address alone: another address needs a key of its own (behaviour 25.1.5).
 *
 * @throws Failure, which says how to give what is missing
 */
export async function findCredentials(context: Finding): Promise<Credentials> {
  const { flags, variables } = context;
  const given = flags.url ?? variables.CAUSEWAY_URL;
  const key = await givenKey(context);
  const login = given !== undefined && key !== undefined ? undefined : await readCredentials(context);
  const url = given === undefined ? login?.url : addressOf(given);
  if (url === undefined) throw new Failure('usage', 'Where is the service? Run causeway login, or set CAUSEWAY_URL.');
  const apiKey = key ?? (login?.url === url ? login.apiKey : undefined);
  if (apiKey !== undefined) return { url, apiKey };
  throw new Failure(
    'authentication',
    `There is no key for ${url}. Run causeway login, set CAUSEWAY_API_KEY, or give --api-key-file.`,
  );
}

/** Where the service is, for what needs no key; undefined if nothing says so. */
export async function findAddress(context: Finding): Promise<string | undefined> {
  const given = context.flags.url ?? context.variables.CAUSEWAY_URL;
  return given === undefined ? (await readCredentials(context))?.url : addressOf(given);
}

/** The key of a file or of the environment, without the end of its line. */
export async function givenKey({ flags, variables, directory }: Finding): Promise<string | undefined> {
  if (flags.apiKeyFile === undefined) return variables.CAUSEWAY_API_KEY?.trim() || undefined;
  const file = path.resolve(directory, flags.apiKeyFile);
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Failure('usage', `The key file cannot be read: ${error.message}.`);
  });
  if (text.trim() === '') throw new Failure('usage', `${file} is empty: it should hold an API key.`);
  return text.trim();
}

/** The address of a service as it is kept: without a slash at its end. Throws a Failure if it is no http address. */
export function addressOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new Failure('usage', `"${text}" is not the address of a service. Give one such as https://causeway.example.`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
