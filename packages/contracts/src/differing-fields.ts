import { z } from 'zod';
import { pathBelowRoot } from './document-path.ts';
import { decimalText } from './numbers.ts';

/** The names of fields, in an answer. */
export const differences = z.array(z.string());
export const filled = z.array(z.string());

/** Fields whose values are numbers or their strings: 12.3 and '12.30' are the same. */
const DECIMALS: ReadonlySet<string> = new Set([
  ...[
    'transfer_balance',
    'last_statement_balance',
    'amount',
    'gross_amount',
    'net_amount',
    'tax_amount',
    'value_taxed',
    'price_per_unit',
    'number_of_units',
    'units',
    'rate',
  ],
]);

/** Fields whose values name the same document with and without a leading slash. */
const PATHS: ReadonlySet<string> = new Set(['document_path', 'statement_path']);

type Fields = Readonly<Record<string, unknown>>;

/**
 * The names of the fields in which two records differ, whatever the order of their fields; null is as good as absent, a decimal number is the same as its string, and a document path the same with and without its leading slash.
 */
export function differingFields(one: object, other: object): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const comparable = (fields: Fields, name: string) => (PATHS.has(name) ? belowRoot(fields[name]) : fields[name]);
  return [...names].filter(
    (name) => !isSame(comparable(one as Fields, name), comparable(other as Fields, name), DECIMALS.has(name)),
  );
}

function isSame(one: unknown, other: unknown, isDecimal: boolean): boolean {
  if (one === other) return true;
  if (one === null || one === undefined || other === null || other === undefined) {
    return (one ?? undefined) === (other ?? undefined);
  }
  if (Array.isArray(one)) {
    const isList = Array.isArray(other) && one.length === other.length;
    return isList && one.every((item, index) => isSame(item, other[index], isDecimal));
  }
  if (typeof one === 'object' && typeof other === 'object') {
    return !Array.isArray(other) && differingFields(one, other).length === 0;
  }
  return isDecimal && isNumberText(one) && isNumberText(other) && decimalText(one) === decimalText(other);
}

const belowRoot = (path: unknown) => (typeof path === 'string' ? pathBelowRoot(path) : path);

function isNumberText(value: unknown): value is number | string {
  return typeof value === 'number' || typeof value === 'string';
}
