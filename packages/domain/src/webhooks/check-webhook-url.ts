import { isIP } from 'node:net';
import { invalidField } from '../errors.ts';
import type { AddressRules } from './address-rules.ts';

/** Of the public internet: a webhook is no way to speak to other services. */
const PUBLIC_PORTS = ['', '443', '8443'];

/**
 * The URL in its normal form (behaviour 28.5). Refuses with `request_failed_validation` what can never be sent to;
 * where its name leads is decided each time something is sent.
 */
export function checkWebhookUrl(text: string, rules: AddressRules): string {
  if (!URL.canParse(text)) throw invalidField('url', 'Must be a URL.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.hash !== '') {
    throw invalidField('url', 'Must have no user name, password or fragment.');
  }
  if (!rules.hasOwnNetworks && !isForPublic(url))
    throw invalidField('url', 'Must be an https URL with the port 443 or 8443.');
  const host = hostOf(url);
  if (isIP(host) !== 0 && !rules.allows(host))
    throw invalidField('url', 'Must not be an address of a private network.');
  return url.href;
}

/** Whether a URL may lead to the public internet, by its scheme and port. */
export function isForPublic({ protocol, port }: URL): boolean {
  return protocol === 'https:' && PUBLIC_PORTS.includes(port);
}

/** The host of a URL as the resolver takes it: an IPv6 address without its brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
