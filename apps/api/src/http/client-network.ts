import { isIPv6, SocketAddress } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The usual IPv6 prefixes of a subscriber and of a site. */
const IPV6_PREFIXES = [64, 48] as const;
const BITS_PER_GROUP = 16;

/**
 * The networks under which a client's calls are counted, narrowest first: its IPv4 address, or the /64 and the /48 of
 * its IPv6 address. Accepts an address as proxies write it, with or without a port. All invalid addresses count as one
 * network.
 */
export function clientNetworks(address: string): readonly [string, ...string[]] {
  const plain = address.trim().replace(/%[^\]]*/, '');
  const parsed = SocketAddress.parse(isIPv6(plain) ? `[${plain}]` : plain);
  if (parsed === undefined) return ['unknown'];
  const client = ipaddr.process(parsed.address);
  if (client instanceof ipaddr.IPv4) return [client.toString()];
  const groups = client.parts.map((group) => group.toString(16));
  const [narrow, wide] = IPV6_PREFIXES.map((bits) => `${groups.slice(0, bits / BITS_PER_GROUP).join(':')}::/${bits}`);
  return [String(narrow), String(wide)];
}
