import { type CausewayClient, createClient, failureOf } from '@causeway/client';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { findCredentials } from './find-credentials.ts';
import { outOfReach } from './open-service.ts';

/** The procedures of the service team, as one command calls them. */
export interface StaffService {
  url: string;
  client: CausewayClient;
  /** The answer of a call; a refusal, and a service out of reach, are thrown as a Failure. */
  answer<Output>(call: Promise<Output>): Promise<Output>;
}

/** Opens the service with the credentials that the command was given. Calls nothing yet. */
export async function openStaff(context: Context): Promise<StaffService> {
  const { url, apiKey } = await findCredentials(context);
  return {
    url,
    client: createClient({ url, apiKey }),
    answer: (call) =>
      call.catch((error: unknown) => {
        throw failureOfStaffCall(error, url);
      }),
  };
}

/** What an error of a call means for the user; an error that is no call's as it is. */
export function failureOfStaffCall(error: unknown, url: string): unknown {
  const failure = failureOf(error);
  if (failure === undefined) return error;
  const { detail, kind } = failure;
  if (kind === 'unavailable') return outOfReach(error, url, detail);
  const { code } = failure;
  if (kind === 'key_refused') {
    const lines = ['  Was the key revoked, or is it one of another service? causeway login keeps another one.'];
    return new Failure('authentication', `${url}: ${detail}`, { code, lines });
  }
  const { status, errors } = failure;
  if (code === 'permission_denied') {
    const lines = ['  causeway admin needs a key of the service team: causeway login, or CAUSEWAY_API_KEY.'];
    return new Failure('authentication', `${detail} (${code})`, { code, lines });
  }
  const lines = errors
    .filter((one) => one.detail !== detail)
    .map(({ attr, detail: own }) => `  ${attr === '' ? '' : `--${attr.replaceAll('_', '-')}: `}${own}`);
  return new Failure(status === 429 || status >= 500 ? 'outOfReach' : 'refused', `${detail} (${code})`, {
    code,
    lines,
  });
}
