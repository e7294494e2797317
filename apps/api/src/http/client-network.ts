import { isIPv6, SocketAddress } from 'node:net';

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
  if (parsed.family === 'ipv4') return [parsed.address];
  const groups = groupsOf(parsed.address);
  if (isMappedIPv4(groups)) return [groups.slice(6).flatMap(bytesOf).join('.')];
  const [narrow, wide] = IPV6_PREFIXES.map((bits) => `${groups.slice(0, bits / BITS_PER_GROUP).join(':')}::/${bits}`);
  return [String(narrow), String(wide)];
}

/** The eight groups of an address as `SocketAddress` writes it, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean).flatMap(asGroups));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail];
}

/** One group, or two for a trailing dotted IPv4 address. */
function asGroups(part: string): string[] {
  if (!part.includes('.')) return [part];
  const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
  return [a * 256 + b, c * 256 + d].map((group) => group.toString(16));
}

function isMappedIPv4(groups: readonly string[]): boolean {
  return groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff';
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
}
