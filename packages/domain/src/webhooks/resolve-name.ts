import { lookup, Resolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';

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
