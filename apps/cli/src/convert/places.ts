import type { z } from 'zod';
import { Failure } from '../frame/failure.ts';
import { cellKindOf } from './cell-kind.ts';
import { EACH, schemasOf } from './header-path.ts';
import type { Kind } from './kinds.ts';

interface PlacedColumn {
  header: string;
  path: readonly string[] | undefined;
}

/** A path without what says which items of lists are meant. */
export const listName = (path: readonly string[]) => path.filter((name) => name !== EACH).join('.');

/** A row is one item of a list: a second one in it would be lost. */
export function refusePlaces(columns: readonly PlacedColumn[], file: string): void {
  for (const { path = [] } of columns) {
    for (const [depth, name] of path.entries()) {
      if (name !== EACH) continue;
      const list = listName(path.slice(0, depth));
      const placed = columns.find(({ path: other = [] }) =>
        other.some((place, at) => /^\d+$/.test(place) && listName(other.slice(0, at)) === list),
      );
      if (placed === undefined) continue;
      throw new Failure(
        'usage',
        `${file} has a row for each of ${list}, and ${placed.header} says a place among them.`,
        {
          lines: [`  Give each column of ${list} its place, or none of them.`],
        },
      );
    }
  }
}

/** A row is an item of one list, and of those that the list stands in: of two lists, equal items would become one. */
export function refuseListsSideBySide(lists: readonly string[], file: string): void {
  for (const [index, list] of lists.entries()) {
    const above = lists[index - 1];
    if (above === undefined || list.startsWith(`${above}.`)) continue;
    throw new Failure('usage', `${file} has a row for each of ${above}, and of ${list}: a row can be one of them.`, {
      lines: [
        '  Put one of the lists into a file of its own, such as --readings, --registers, --line-items or --tax-items.',
      ],
    });
  }
}

/** Where anything may stand, `usage.2023` is a name or a place in a list: only places from 0 on can be told from names. */
export function refuseNumbersAsNames(paths: readonly (readonly string[])[], kind: Kind, file: string): void {
  const placesBelow = new Map<string, Set<string>>();
  for (const path of paths) {
    for (const [depth, name] of path.entries()) {
      const above = path.slice(0, depth);
      if (depth === 0 || !/^\d+$/.test(name) || isList(schemasOf(kind.schema, above))) continue;
      const list = above.join('.');
      placesBelow.set(list, (placesBelow.get(list) ?? new Set()).add(name));
    }
  }
  for (const [list, places] of placesBelow) {
    if ([...places].every((name) => name === String(Number(name)) && Number(name) < places.size)) continue;
    throw new Failure('usage', `${file} has columns of ${list} with numbers as names: ${[...places].join(', ')}.`, {
      lines: [
        '  A number stands for a place in a list, and the first place is 0.',
        ...objectHint(list.split('.'), kind),
      ],
    });
  }
}

/** Which column takes the object as JSON: the outermost one whose cells are read so. */
function objectHint(path: readonly string[], kind: Kind): string[] {
  const depth = path.findIndex((_, index) => cellKindOf(schemasOf(kind.schema, path.slice(0, index + 1))) === 'json');
  if (depth === -1) return [];
  const column = path.slice(0, depth + 1).join('.');
  return [`  To send an object with such names, make one column ${column} of it, with JSON in its cells.`];
}

const isList = (schemas: readonly z.core.$ZodType[]) =>
  schemas.length > 0 && schemas.every((schema) => (schema as z.core.$ZodTypes)._zod.def.type === 'array');
