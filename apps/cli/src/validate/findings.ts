import { addCount } from '../convert/one-supplier.ts';
import { type Remark, Remarks } from '../convert/suspicions.ts';

/** Lines with the same problem: names of fields, never a value of one. */
export interface Cluster {
  step: string;
  code: string;
  /** The dotted path, with `*` for each index; empty if no field is at fault. */
  attr: string;
  /** What the field is, as documented; null for a field that is not. */
  description: string | null;
  accounts: number;
  /** The account numbers of the first three. */
  samples: string[];
  /** False: the lines are accepted, and this is only told. */
  refused: boolean;
  /** Of accepted lines, how many have it in a meter point of each service. */
  services?: Record<string, number>;
}

/** How many, and the sum of their amounts in hundredths. */
export interface Sum {
  count: number;
  amount: bigint;
}

/** What lines came to. Findings of one batch after the other are added up in the order of the lines. */
export interface Findings {
  lines: number;
  refused: number;
  clusters: Cluster[];
  /** Of accepted lines: `transactions CHARGE`, `statements`, `notes`, `balances in credit`, and so on. */
  sums: Record<string, Sum>;
  /** Of accepted accounts without transactions: balances that the service does not judge. */
  balances: readonly Remark[];
  /** How many statements of accepted lines are in each currency. */
  currencies: Map<string, number>;
}

const MAX_SAMPLES = 3;
/** A client chooses the names of undocumented fields, and may choose others in each line. */
const MAX_CLUSTERS = 1_000;
/** Stands for the other names. */
const OTHER_FIELDS = '…';

export function noFindings(): Findings {
  return { lines: 0, refused: 0, clusters: [], sums: {}, balances: [], currencies: new Map() };
}

/** Adds findings of later lines. */
export class TotalFindings {
  readonly #clusters = new Map<string, Cluster>();
  readonly #sums: Findings['sums'] = {};
  readonly #balances = new Remarks();
  readonly currencies = new Map<string, number>();
  #lines = 0;
  #refused = 0;

  add({ lines, refused, clusters, sums, balances, currencies }: Findings): void {
    this.#lines += lines;
    this.#refused += refused;
    for (const cluster of clusters) this.#addCluster(cluster);
    for (const [name, sum] of Object.entries(sums)) addTo(this.#sums, name, sum);
    for (const balance of balances) this.#balances.addAll(balance);
    for (const [name, count] of currencies) addCount(this.currencies, name, count);
  }

  get lines(): number {
    return this.#lines;
  }

  get refused(): number {
    return this.#refused;
  }

  /** Those that refuse lines first, and of each kind those of most accounts. */
  get clusters(): Cluster[] {
    return [...this.#clusters.values()].sort(
      (one, other) => Number(other.refused) - Number(one.refused) || other.accounts - one.accounts,
    );
  }

  get sums(): Findings['sums'] {
    return this.#sums;
  }

  get balances(): Findings['balances'] {
    return this.#balances.all;
  }

  #addCluster(added: Cluster): void {
    const isNew = !this.#clusters.has(keyOf(added));
    const each = isNew && this.#clusters.size >= MAX_CLUSTERS ? { ...added, attr: OTHER_FIELDS } : added;
    const known = this.#clusters.get(keyOf(each));
    if (known === undefined) {
      this.#clusters.set(keyOf(each), structuredClone(each));
      return;
    }
    known.accounts += each.accounts;
    addServices(known, each.services);
    known.samples.push(...each.samples.slice(0, MAX_SAMPLES - known.samples.length));
  }
}

/** Adds to the sum of this name. */
export function addTo(sums: Findings['sums'], name: string, { count, amount }: Sum): void {
  const before = sums[name] ?? { count: 0, amount: 0n };
  sums[name] = { count: before.count + count, amount: before.amount + amount };
}

/** Adds how many lines have a problem in a meter point of each service. */
export function addServices(cluster: Cluster, services: Cluster['services'] = {}): void {
  for (const [service, lines] of Object.entries(services)) {
    cluster.services ??= {};
    cluster.services[service] = (cluster.services[service] ?? 0) + lines;
  }
}

/** What a cluster is told apart by. */
export function keyOf({ step, code, attr, refused }: Pick<Cluster, 'step' | 'code' | 'attr' | 'refused'>): string {
  return `${step} ${code} ${attr} ${refused}`;
}

/** Adds the balance of an account by its sign. */
export function addBalance(sums: Findings['sums'], amount: bigint): void {
  addTo(sums, 'accounts', { count: 1, amount: 0n });
  if (amount > 0n) addTo(sums, 'balances in credit', { count: 1, amount });
  if (amount < 0n) addTo(sums, 'balances in debit', { count: 1, amount });
}

/** Of an amount with two decimals. */
export function hundredths(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}
