import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { addToSum, MONEY_FUNCTIONS, writeSum } from './money-functions.ts';
import { type Argument, type SqlFunction, textOf } from './sql-function.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';
import { tokenOf, type Unreadable, unreadableIn } from './unreadable.ts';

/** Thrown where a mapping is wrong, whatever its rows: it ends. */
export class MappingFault extends Error {
  override readonly name = 'MappingFault';
}

const MAX_ARGUMENT_LENGTH = 200;
const FUNCTIONS = [...MONEY_FUNCTIONS, ...TEXT_FUNCTIONS];
const SUM = 'sum_money';

export const FUNCTION_NAMES: readonly string[] = [...FUNCTIONS.map(({ name }) => name), SUM];

type Remember = (unreadable: Unreadable) => number;

/**
 * Adds the functions of mappings. They are deterministic. A value that one cannot read becomes a token
 * (see `unreadableIn`), which functions hand on; `remember` is told once a call and says the token's number.
 */
export function addFunctions(database: DatabaseSync, remember: Remember): void {
  for (const one of FUNCTIONS) {
    const options = { deterministic: true, varargs: true, useBigIntArguments: true };
    database.function(one.name, options, (...values: SQLOutputValue[]) => applied(one, values, remember));
  }
  addSum(database, remember);
}

function applied(one: SqlFunction, values: readonly Argument[], remember: Remember): string | number | null {
  const { name, least, most } = one;
  if (values.length < least || values.length > most) {
    const wanted = most === least ? String(least) : Number.isFinite(most) ? `${least} to ${most}` : `${least} or more`;
    throw new MappingFault(`${name} takes ${wanted} arguments, and was given ${values.length}.`);
  }
  const read = values.slice(0, one.values);
  const token = read.find(isToken);
  if (token !== undefined) return String(token);
  if (read.some(isEmpty)) return null;
  const [argument = null] = read;
  const result = argument instanceof Uint8Array ? { fault: 'Is not text.' } : readBy(one, values);
  if (result.fault === undefined) return result.value;
  return unreadable(name, { detail: result.fault, values: read }, remember);
}

function readBy({ name, read }: SqlFunction, values: readonly Argument[]) {
  try {
    return read(values);
  } catch (error) {
    if (error instanceof RangeError) throw new MappingFault(`${name}: ${error.message}`);
    throw error;
  }
}

const isToken = (value: Argument) => typeof value === 'string' && unreadableIn(value) !== undefined;
const isEmpty = (value: Argument) => value === null || (typeof value === 'string' && value.trim() === '');

function unreadable(name: string, of: { detail: string; values: readonly Argument[] }, remember: Remember): string {
  const argument = of.values.map((value) => textOf(value) ?? 'BLOB').join(', ');
  return tokenOf(remember({ function: name, detail: of.detail, argument: argument.slice(0, MAX_ARGUMENT_LENGTH) }));
}

/**
 * NULL and '' are left out, as SQL's own sum does; of none the sum is 0.00. It also sums over windows. From the first
 * unreadable value on, the state is its token.
 */
function addSum(database: DatabaseSync, remember: Remember): void {
  const step = (sum: bigint | string, value: Argument, isLeaving: boolean): bigint | string => {
    if (typeof sum === 'string' || isEmpty(value)) return sum;
    if (isToken(value)) return String(value);
    const next = addToSum(sum, value, isLeaving);
    return 'sum' in next ? next.sum : unreadable(SUM, { detail: next.fault, values: [value] }, remember);
  };
  database.aggregate<bigint | string>(SUM, {
    deterministic: true,
    useBigIntArguments: true,
    start: 0n,
    step: (sum, value: Argument) => step(sum, value, false),
    inverse: (sum, value: Argument) => step(sum, value, true),
    result: (sum) => (typeof sum === 'string' ? sum : writeSum(sum)),
  });
}
