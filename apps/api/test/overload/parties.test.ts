import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createParties } from '../../src/overload/parties.ts';

const from = (address: string) =>
  ({ headers: { 'x-forwarded-for': address }, socket: { remoteAddress: '127.0.0.1' } }) as unknown as IncomingMessage;

test.each([
  ['the addresses of one IPv6 subscriber', ['2001:db8::1', '2001:db8::2', '[2001:db8::3]:4000']],
  ['the ports of one IPv4 address', ['192.0.2.1', '192.0.2.1:1111', '192.0.2.1:2222', '::ffff:192.0.2.1']],
])('%s are one party', (_name, addresses) => {
  const { of } = createParties(1);
  expect(new Set(addresses.map((address) => of(from(address)))).size).toBe(1);
  expect(of(from('198.51.100.7'))).not.toBe(of(from(String(addresses[0]))));
});
