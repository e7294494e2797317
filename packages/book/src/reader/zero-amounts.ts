import { isZeroAmount } from '@causeway/rules';
import type { BookSettings } from './checked-line.ts';
import { isFields } from './line-fields.ts';

const LISTS: ReadonlySet<string> = new Set([
  ...['transactions', 'historical_transactions'],
  ...['current_statement_transactions', 'historical_statement_transactions'],
]);

/** What is left of some fields, and what was left out of their lists. */
export interface WithoutZeros<Fields> {
  fields: Fields;
  /** How many transactions of zero. */
  omitted: number;
  /** Of each list that is shorter now, by its path: where its items were sent. */
  places: ReadonlyMap<string, readonly number[]>;
}

/** The fields of a request without its transactions of zero (behaviour 2.5.10), if the import supplier leaves them out. */
export function withoutZeros<Fields extends object>(
  fields: Fields,
  { zero_amounts }: Pick<BookSettings['importSupplier'], 'zero_amounts'>,
): WithoutZeros<Fields> {
  const places = new Map<string, readonly number[]>();
  if (zero_amounts !== 'OMIT') return { fields, omitted: 0, places };
  let omitted = 0;
  const copyOf = (value: object, path: string): object =>
    Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fieldOf(name, field, path)]));
  const fieldOf = (name: string, value: unknown, path: string): unknown => {
    if (!Array.isArray(value)) return value;
    if (name === 'ledgers') {
      return value.map((ledger, index) => (isFields(ledger) ? copyOf(ledger, `${path}ledgers.${index}.`) : ledger));
    }
    const kept = LISTS.has(name)
      ? value.flatMap((item, index) => (isZeroAmount(Object(item).amount) ? [] : index))
      : [];
    if (!LISTS.has(name) || kept.length === value.length) return value;
    omitted += value.length - kept.length;
    places.set(`${path}${name}.`, kept);
    return kept.map((index) => value[index]);
  };
  const left = copyOf(fields, '') as Fields;
  return { fields: omitted === 0 ? fields : left, omitted, places };
}

/** The path at which a field was sent. */
export function pathBefore(attr: string, places: WithoutZeros<unknown>['places']): string {
  for (const [list, kept] of places) {
    if (!attr.startsWith(list)) continue;
    const [index, ...rest] = attr.slice(list.length).split('.');
    return `${list}${[kept[Number(index)] ?? index, ...rest].join('.')}`;
  }
  return attr;
}
