import { describe, expect, it } from 'vitest';
import { clientNetworks } from '../../src/http/client-network.ts';

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
