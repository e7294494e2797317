import { text } from 'node:stream/consumers';
import { obtainTokens } from '@causeway/rest-client';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { addressOf, givenKey } from './find-credentials.ts';
import { failureOfCall } from './open-service.ts';
import { forgetCredentials, keepCredentials, readCredentials } from './store.ts';

/** Tries a key and keeps it (behaviour 25.1.4). The key comes from a file, the environment, the terminal or stdin. */
export async function login(context: Context): Promise<Result> {
  const { flags, variables, output } = context;
  const before = await readCredentials(context).catch(() => undefined);
  const given = flags.url ?? variables.CAUSEWAY_URL ?? before?.url;
  if (given === undefined) throw new Failure('usage', 'Say where the service is: causeway login --url https://...');
  const url = addressOf(given);
  const apiKey = (await givenKey(context)) ?? (await askedKey(context, url));
  await obtainTokens(url, { apiKey }).catch((error: unknown) => {
    throw failureOfCall(error, url);
  });
  const file = await keepCredentials(context, { url, apiKey });
  output.say(`Logged in to ${url}. The key is in ${file}.`);
  return { document: { url, file } };
}

async function askedKey({ stdin }: Context, url: string): Promise<string> {
  const key = stdin.isTTY === true ? await prompted(url) : await text(stdin);
  if (key.trim() === '') throw new Failure('usage', 'There is no key on standard input.');
  return key.trim();
}

async function prompted(url: string): Promise<string> {
  const { isCancel, password } = await import('@clack/prompts');
  const key = await password({ message: `API key for ${url}`, output: process.stderr });
  if (isCancel(key)) throw new Failure('interrupted', 'Not logged in.');
  return key;
}

/** Forgets the login on this machine. */
export async function logout(context: Context): Promise<Result> {
  const wasLoggedIn = await forgetCredentials(context);
  context.output.say(wasLoggedIn ? 'The key is forgotten here. It is still valid.' : 'There was no login.');
  return { document: { was_logged_in: wasLoggedIn } };
}
