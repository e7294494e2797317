import type { IncomingMessage } from 'node:http';
import { describe, expect, it, test } from 'vitest';
import { createKnownParties } from '../../src/http/caller.ts';
import { clientNetworks } from '../../src/http/client-network.ts';
import { Parties } from '../../src/overload/party.ts';

const request = (authorization?: string) =>
  ({ headers: { authorization }, socket: { remoteAddress: '192.0.2.1' } }) as IncomingMessage;
const actor = { kind: 'organisation', apiKeyId: 'key', organisationId: 'organisation' } as const;

test('17.2 a token stands for its organisation however the header is written', () => {
  const parties = createKnownParties(new Parties(), 0);
  expect(parties.of(request('abc')).name).toBe('address 192.0.2.1');
  expect(parties.remember(request('Token abc'), actor).name).toBe('organisation');
  for (const header of ['abc', 'Token abc', 'bearer   abc', ' TOKEN\tabc ']) {
    expect(parties.of(request(header)).name).toBe('organisation');
  }
  for (const header of [undefined, '', 'abcd', 'abc abc', 'Basic abc']) {
    expect(parties.of(request(header)).name).toBe('address 192.0.2.1');
  }
});

test('17.2 spellings of one token push no other token out', () => {
  const parties = createKnownParties(new Parties(), 0);
  parties.remember(request('first'), actor);
  for (let count = 0; count < 2 ** 14; count += 1) {
    const space = count.toString(2).padStart(14, '0').replaceAll('0', ' ').replaceAll('1', '\t');
    parties.remember(request(`Token${space}second`), actor);
  }
  expect(parties.of(request('first')).name).toBe('organisation');
});

const from = (address: string) =>
  ({ headers: { 'x-forwarded-for': address }, socket: { remoteAddress: '127.0.0.1' } }) as unknown as IncomingMessage;

test.each([
  ['the addresses of one IPv6 subscriber', ['2001:db8::1', '2001:db8::2', '[2001:db8::3]:4000']],
  ['the ports of one IPv4 address', ['192.0.2.1', '192.0.2.1:1111', '192.0.2.1:2222', '::ffff:192.0.2.1']],
])('17.2 %s are one party', (_name, addresses) => {
  const { of } = createKnownParties(new Parties(), 1);
  expect(new Set(addresses.map((address) => of(from(address)))).size).toBe(1);
  expect(of(from('198.51.100.7'))).not.toBe(of(from(String(addresses[0]))));
});

describe('the networks that calls count for', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:54321', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
  ])('5.8 of %s is %s', (address, network) => {
    expect(clientNetworks(address)).toEqual([network]);
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['[2001:db8:1:2:3:4:5:6]:8080', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['[2001:db8:1:2:3:4:5:6]', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64', '64:ff9b:0::/48'],
  ])('5.8 of %s are %s and %s', (address, narrow, wide) => {
    expect(clientNetworks(address)).toEqual([narrow, wide]);
  });

  it.each(['unknown', '', 'x', '_hidden', '1.2.3.4:x', '2001:db8::1::2', '[::1', 'example.com:80', '1.2.3.4, 5'])(
    '5.8 of %j, which is no address, is one for all such',
    (address) => {
      expect(clientNetworks(address)).toEqual(['unknown']);
    },
  );
});
