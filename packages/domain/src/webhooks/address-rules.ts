import { lookup, Resolver } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { invalidField } from '../shared/errors.ts';

/** To which addresses webhooks may be sent (behaviour 28.5). */
export interface AddressRules {
  /** Whether the operator has allowed any networks of its own. */
  readonly hasOwnNetworks: boolean;
  /** Whether the address belongs to one of them. */
  isOwn(address: string): boolean;
  /** Whether it belongs to one of them or to the public internet. */
  allows(address: string): boolean;
}

/** Everything that is not the public internet (IANA's registries of special-purpose addresses), and multicast. */
const CLOSED_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];
/** Of IPv6 only global unicast is open; in it are addresses that stand for IPv4's, and documentation. */
const OPEN_IPV6 = ['2000::/3'];
const CLOSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
/** An IPv4 address in the form of IPv6, as the URL parser writes it too. */
const MAPPED = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i;

const closed = listOf([...CLOSED_IPV4, ...CLOSED_IPV6]);
const open = listOf(OPEN_IPV6);

/** `ownNetworks`: those that are allowed beside the public internet, such as `10.20.0.0/16`. */
export function createAddressRules(ownNetworks: readonly string[]): AddressRules {
  const own = listOf(ownNetworks);
  const isOwn = (address: string) => isIn(own, address);
  return {
    hasOwnNetworks: ownNetworks.length > 0,
    isOwn,
    allows: (address) => isOwn(address) || isPublic(plainAddress(address)),
  };
}

/** Whether a text is a network, such as `10.20.0.0/16` or `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix = '', ...others] = text.split('/');
  const family = isIP(address);
  return family !== 0 && others.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}

function isPublic(address: string): boolean {
  if (isIP(address) === 0 || isIn(closed, address)) return false;
  return isIP(address) === 4 || isIn(open, address);
}

function isIn(list: BlockList, address: string): boolean {
  const plain = plainAddress(address);
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

/** Without a zone; an IPv4 address in the form of IPv6 as what it is. */
function plainAddress(address: string): string {
  const [, dotted, high, low] = MAPPED.exec(address) ?? [];
  if (dotted !== undefined) return dotted;
  if (high === undefined || low === undefined) return address;
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

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

/** The addresses to which a host name leads, perhaps none; undefined if that is not known in time. */
export type NameResolver = (host: string, timeoutMs: number) => Promise<string[] | undefined>;

/** A server that does not answer leaves time for others. */
const ANSWERS_WITHIN_MS = 1_500;
const TRIES = 2;

export interface NameResolverOptions {
  /** Default: those of this machine. */
  servers?: readonly string[];
  /** Whether the system is asked for names that the name servers do not know. Default: no. */
  asksSystem?: boolean;
}

/**
 * Asks the name servers (behaviour 28.5). It does not ask the system, as `lookup` does: that takes one of very few threads
 * for as long as it waits, so that names of one supplier that are answered slowly would keep the whole process from
 * resolving any. The system is asked for names that only the operator's own network has, in /etc/hosts or in a search
 * domain: those without a dot, and, where there are such receivers, those that the name servers do not know.
 */
export function createNameResolver({ servers, asksSystem = false }: NameResolverOptions = {}): NameResolver {
  return async (host, timeoutMs) => {
    if (!host.includes('.')) return askSystem(host, timeoutMs);
    const askedAt = performance.now();
    const found = await askServers(host, { timeoutMs, servers });
    if (found?.length !== 0 || !asksSystem) return found;
    return askSystem(host, Math.max(timeoutMs - (performance.now() - askedAt), 0));
  };
}

async function askServers(
  host: string,
  { timeoutMs, servers }: { timeoutMs: number; servers: readonly string[] | undefined },
): Promise<string[] | undefined> {
  const resolver = new Resolver({ timeout: ANSWERS_WITHIN_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  clearTimeout(timer);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  return found.length === 0 && answers.some(isTimeout) ? undefined : found;
}

function isTimeout(answer: PromiseSettledResult<string[]>): boolean {
  return answer.status === 'rejected' && ['ETIMEOUT', 'ECANCELLED'].includes(answer.reason?.code);
}

async function askSystem(host: string, timeoutMs: number): Promise<string[] | undefined> {
  const found = lookup(host, { all: true }).catch(() => []);
  return Promise.race([
    found.then((all) => all.map(({ address }) => address)),
    delay(timeoutMs, undefined, { ref: false }),
  ]);
}
