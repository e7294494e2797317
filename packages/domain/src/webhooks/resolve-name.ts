import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** The addresses to which a host name leads, perhaps none; undefined if that is not known in time. */
export type NameResolver = (host: string, timeoutMs: number) => Promise<string[] | undefined>;

/** A server that does not answer leaves time for others. */
const ANSWERS_WITHIN_MS = 1_500;
const TRIES = 2;

/**
 * Asks the name servers of this machine, or `servers` (behaviour 28.5). It does not ask the system, as `lookup` does: that
 * takes one of very few threads for as long as it waits, so that names of one supplier that are answered slowly would
 * keep the whole process from resolving any. The system is asked for names without a dot alone, which only the operator's
 * own network has: in /etc/hosts or in a search domain.
 */
export function createNameResolver(servers?: readonly string[]): NameResolver {
  return (host, timeoutMs) =>
    host.includes('.') ? askServers(host, { timeoutMs, servers }) : askSystem(host, timeoutMs);
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
