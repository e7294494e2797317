import { EACH } from './header-path.ts';

/** Where the cells of a row go: the number of a column, the fields of an object, or the items of a list. */
export type Shape = number | { fields: Map<string, Shape> } | { items: Map<number, Shape> };

/** Two columns of which one would overwrite the other. */
export class ColumnsCollide extends Error {
  override readonly name = 'ColumnsCollide';
}

/** The shape of a row from the paths of its columns; an undefined path is a column that is no part of it. */
export function shapeOfRow(paths: readonly (readonly string[] | undefined)[]): Shape {
  const root: Shape = { fields: new Map() };
  for (const [column, path] of paths.entries()) {
    if (path !== undefined) place(root, path, column);
  }
  return root;
}

function place(root: Shape, path: readonly string[], column: number): void {
  let shape = root;
  for (const [depth, name] of path.entries()) {
    const next = path[depth + 1];
    const below: Shape =
      next === undefined ? column : /^(?:\d+|\*)$/.test(next) ? { items: new Map() } : { fields: new Map() };
    shape = child(shape, name, below);
  }
}

function child(parent: Shape, name: string, below: Shape): Shape {
  if (typeof parent === 'number') throw new ColumnsCollide();
  const [children, key] = 'fields' in parent ? [parent.fields, name] : [parent.items, name === EACH ? 0 : Number(name)];
  const known = (children as Map<string | number, Shape>).get(key);
  if (known === undefined) (children as Map<string | number, Shape>).set(key, below);
  else if (kindOf(known) !== kindOf(below) || typeof known === 'number') throw new ColumnsCollide();
  return known ?? below;
}

const kindOf = (shape: Shape) => (typeof shape === 'number' ? 'cell' : 'fields' in shape ? 'fields' : 'items');

/**
 * The value of a row from the values of its cells; undefined where all of them are empty. What is empty is left out,
 * objects of a list too: a household without a second customer has one.
 */
export function valueOfRow(shape: Shape, cells: readonly unknown[]): unknown {
  if (typeof shape === 'number') return cells[shape];
  if ('items' in shape) {
    const items = inOrder(shape.items).map((item) => valueOfRow(item, cells));
    const filled = items.filter((item) => item !== undefined);
    return filled.length === 0 ? undefined : filled;
  }
  let value: Record<string, unknown> | undefined;
  for (const [name, below] of shape.fields) {
    const field = valueOfRow(below, cells);
    if (field === undefined) continue;
    value ??= {};
    value[name] = field;
  }
  return value;
}

/** The column of a cell that is empty before a filled one of the same list: the items behind it would move up. */
export function gapOfRow(shape: Shape, cells: readonly unknown[]): number | undefined {
  if (typeof shape === 'number') return undefined;
  if ('fields' in shape) {
    return [...shape.fields.values()].map((below) => gapOfRow(below, cells)).find((column) => column !== undefined);
  }
  const items = inOrder(shape.items);
  const last = items.findLastIndex((item) => typeof item === 'number' && cells[item] !== undefined);
  const gap = items.slice(0, last + 1).find((item) => typeof item === 'number' && cells[item] === undefined);
  if (typeof gap === 'number') return gap;
  return items.map((below) => gapOfRow(below, cells)).find((column) => column !== undefined);
}

function inOrder(items: Map<number, Shape>): Shape[] {
  return [...items].sort(([one], [other]) => one - other).map(([, shape]) => shape);
}
