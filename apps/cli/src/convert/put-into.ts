import type { Fields } from './join-rows.ts';
import type { Kind } from './kinds.ts';
import { loosely } from './near-misses.ts';
import type { ReadRow } from './read-row.ts';
import type { Fault } from './store.ts';

/**
 * Puts a row into the list that its keys name: a reading into its meter, a line into its charge. A fault where they name
 * nothing of the account, or more than one.
 */
export function putInto(
  values: readonly Fields[],
  { value, keys }: ReadRow,
  into: NonNullable<Kind['into']>,
): Fault | undefined {
  let items = values;
  for (const { list, field, column, isOptional } of into.steps) {
    const choices = list === '' ? items : items.flatMap((item) => (item[list] as Fields[] | undefined) ?? []);
    const key = keys[column];
    items = key === undefined ? choices : choices.filter((item) => item[field] === key);
    if (items.length === 1) continue;
    if (key === undefined)
      return isOptional ? { column, detail: which(field, choices.length) } : { column, detail: 'Must not be empty.' };
    return {
      column,
      detail: items.length === 0 ? noneOf(field, key, choices) : `The account has several with this ${field}.`,
    };
  }
  const [item] = items;
  if (item === undefined) return { detail: 'The account has nothing that this row belongs to.' };
  item[into.list] ??= [];
  (item[into.list] as unknown[]).push(value);
  return undefined;
}

function which(field: string, choices: number): string {
  return choices === 0
    ? `The account has no ${field} to which this could belong.`
    : `Say which ${field}: there are ${choices}.`;
}

function noneOf(field: string, key: string, choices: readonly Fields[]): string {
  const near = choices.some((item) => typeof item[field] === 'string' && loosely(String(item[field])) === loosely(key));
  const hint = near
    ? ' One differs in zeros, case, spaces or a trailing .0 alone: a mapping writes both alike, such as with unpad.'
    : '';
  return `The account has nothing with this ${field}.${hint}`;
}
