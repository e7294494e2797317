import { TokenRefusal } from '@causeway/rest-client/portable';
import { NotOfTheTeam } from './session.ts';

/** A sentence for anyone who was not logged in, by a key or a link. */
export function whyNotLoggedIn(error: unknown): string {
  if (error instanceof NotOfTheTeam) return error.message;
  if (!(error instanceof TokenRefusal)) return 'The service does not answer. Try again in a moment.';
  if (error.code === 'CW-1102') return 'This link is not valid any more. Log in with a key.';
  return error.code === 'CW-1101' ? 'This key is not valid, or was revoked.' : error.message;
}
