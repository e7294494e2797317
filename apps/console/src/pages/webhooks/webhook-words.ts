import type { OutputOf } from '../../data/ask.ts';
import { count, counted } from '../../format/numbers.ts';
import { againAt } from '../../format/times.ts';

export type Endpoint = OutputOf<'dataImport.webhookEndpoint'>;
export type Delivery = OutputOf<'dataImport.listWebhookDeliveries'>[number];

const DISABLED: Record<NonNullable<Endpoint['disabled_reason']>, string> = {
  asked: 'Somebody disabled it',
  failing: 'Disabled by the service, since it accepted nothing for three days',
  gone: 'Disabled by the service, since it answered 410 Gone',
  secret_unreadable: 'Disabled by the service, which cannot read its secret any more: rotate that first',
};

/** How an endpoint does, in a sentence; a datetime in it is written as the service does. */
export function sentenceOfEndpoint(endpoint: Endpoint): string {
  const { disabled_reason, disabled_at, failures, failing_since, last_delivered_at } = endpoint;
  if (disabled_reason !== null) return `${DISABLED[disabled_reason]}, on ${disabled_at}.`;
  if (failures > 0) return `The last ${counted(failures, 'attempt')} failed, the first on ${failing_since}.`;
  return last_delivered_at === null ? 'Nothing was sent to it yet.' : `It accepted a message on ${last_delivered_at}.`;
}

/** Enabled, but nothing arrives. */
export function isFailing({ state, failures }: Endpoint): boolean {
  return state === 'ENABLED' && failures > 0;
}

const FAILURES: Record<NonNullable<Delivery['failure']>, string> = {
  status: 'It was refused',
  redirected: 'The receiver redirects, which is not followed',
  timed_out: 'There was no answer in time',
  connection_failed: 'There was no connection, or it broke',
  name_not_found: 'The host name does not resolve to a public address',
  certificate_refused: 'The certificate of the host is not valid',
  address_not_allowed: 'The host is an address of a private network',
};

/** What happened to a message, in a sentence. */
export function sentenceOfDelivery(delivery: Delivery): string {
  const { state, failure, status, attempts, duration_ms, next_attempt_at } = delivery;
  if (state === 'DELIVERED') {
    const within = duration_ms === null ? '' : ` in ${count(duration_ms)} ms`;
    return attempts === 1 ? `Accepted${within}.` : `Accepted${within}, at attempt ${attempts}.`;
  }
  if (attempts === 0) return 'It is sent within a second or so.';
  const cause = failure === null ? 'It is sent again' : FAILURES[failure];
  const answer = status === null ? '' : `, with status ${status}`;
  const next = state === 'WAITING' ? againAt(next_attempt_at) : 'It is not tried again by itself.';
  const often = attempts === 1 ? '' : ` It was sent ${attempts} times.`;
  return `${cause}${answer}.${often} ${next}`;
}

/** The host of a URL and its path, which may be long. */
export function nameOfEndpoint({ url, description }: Endpoint): string {
  return description === '' ? new URL(url).host : description;
}
