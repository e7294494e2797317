import type { ReadRow } from './read-row.ts';

export type Fields = Record<string, unknown>;

/** A value that one row says, or several of which each adds an item of a list. */
export interface Joined {
  value: Fields;
  /** The first of them. */
  row: ReadRow;
}

/** A list whose items come a row each, and the lists below one of them. */
interface ListOfRows {
  /** From the item above it. */
  path: readonly string[];
  below: readonly ListOfRows[];
}

interface Group {
  value: Fields;
  row: ReadRow;
  /** The items of each list, by its path from here: not all files have the same lists. */
  lists: Map<string, Groups>;
}
/** By what they say. */
type Groups = Map<string, Group>;

/**
 * Puts rows together that are one item each, and agree in all else (behaviour 25.2.3). Rows that are equal in everything
 * are told apart from those that add something: the second one is `repeated`.
 */
export function joinRows(rows: readonly ReadRow[]): { joined: Joined[]; repeated: { row: ReadRow; first: ReadRow }[] } {
  if (rows.every(({ row }) => row.relation.columns.lists.length === 0)) {
    return { joined: rows.map((row) => ({ value: row.value, row })), repeated: [] };
  }
  const groups: Groups = new Map();
  const known = new Map<string, ReadRow>();
  const repeated: { row: ReadRow; first: ReadRow }[] = [];
  for (const row of rows) {
    const whole = canonical(row.value);
    const first = known.get(whole);
    if (first === undefined) known.set(whole, row);
    else repeated.push({ row, first });
    addTo(groups, { value: row.value, row }, listsOfRows(row.row.relation.columns.lists));
  }
  return { joined: [...groups.values()].map(built), repeated };
}

function addTo(groups: Groups, { value, row }: Joined, lists: readonly ListOfRows[]): void {
  const items = lists.map((list) => ({ list, item: taken(value, list.path) }));
  const key = canonical(value);
  const group = groups.get(key) ?? { value, row, lists: new Map() };
  groups.set(key, group);
  for (const { list, item } of items) {
    if (item === undefined) continue;
    const path = list.path.join('.');
    const below = group.lists.get(path) ?? new Map();
    group.lists.set(path, below);
    addTo(below, { value: item, row }, list.below);
  }
}

function built({ value, row, lists }: Group): Joined {
  for (const [path, items] of lists) {
    put(
      value,
      path.split('.'),
      [...items.values()].map((item) => unwrapped(built(item).value)),
    );
  }
  return { value, row };
}

/** Where the items of a list are no objects, they stand in one. */
const BARE = '\0';

/** Takes the one item of a list out of a value. */
function taken(value: Fields, path: readonly string[]): Fields | undefined {
  const [name = '', ...rest] = path;
  const below = value[name];
  if (rest.length > 0) {
    if (below === undefined) return undefined;
    const item = taken(below as Fields, rest);
    if (Object.keys(below as Fields).length === 0) delete value[name];
    return item;
  }
  delete value[name];
  if (!Array.isArray(below)) return undefined;
  const [item] = below;
  return typeof item === 'object' && item !== null ? (item as Fields) : { [BARE]: item };
}

const unwrapped = (item: Fields): unknown => (BARE in item ? item[BARE] : item);

function put(value: Fields, path: readonly string[], items: unknown[]): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) value[name] = items;
  else {
    value[name] ??= {};
    put(value[name] as Fields, rest, items);
  }
}

const treesOf = new WeakMap<readonly string[], readonly ListOfRows[]>();

function listsOfRows(lists: readonly string[]): readonly ListOfRows[] {
  const tree = treesOf.get(lists) ?? below('', lists);
  treesOf.set(lists, tree);
  return tree;
}

function below(above: string, lists: readonly string[]): ListOfRows[] {
  const inside = lists.filter((list) => list.startsWith(above) && list !== above);
  return inside
    .filter((list) => !inside.some((other) => list.startsWith(`${other}.`)))
    .map((list) => ({ path: list.slice(above.length).split('.'), below: below(`${list}.`, lists) }));
}

/** The same text for values that are equal but for the order of their fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, field) => {
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return field;
    return Object.fromEntries(Object.entries(field).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
