import type { Context, Result } from '../frame/define-command.ts';
import { forgetCredentials } from './store.ts';

/** Forgets the login on this machine. */
export async function logout(context: Context): Promise<Result> {
  const wasLoggedIn = await forgetCredentials(context);
  context.output.say(wasLoggedIn ? 'The key is forgotten here. It is still valid.' : 'There was no login.');
  return { document: { was_logged_in: wasLoggedIn } };
}
