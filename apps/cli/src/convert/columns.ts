import { documentedPaths, requiredFields, schemasAtPath } from '@causeway/contracts';
import { isAlwaysEscaped } from '@causeway/rules';
import type { z } from 'zod';
import { Failure } from '../frame/failure.ts';
import { type CellKind, cellKindOf } from './cell-kind.ts';
import { closestNames } from './closest-names.ts';
import { EXPECTED_FORM } from './csv-file.ts';
import { ACCOUNT_NUMBER, AccountNumber, KINDS, type Kind, REJECTED_BECAUSE } from './kinds.ts';
import type { ConvertOptions } from './options.ts';
import { ColumnsCollide, type Shape, shapeOfRow } from './row-shape.ts';

/** One column of a file. */
export interface Column {
  /** As the file writes it. */
  header: string;
  /** Where its cells go in a row's value; undefined: they are no part of it. */
  path: readonly string[] | undefined;
  kind: CellKind;
  schemas: readonly z.core.$ZodType[];
  isRequired: boolean;
}

/** What the header of a file says. */
export interface Columns {
  list: readonly Column[];
  /** Which of them is the account number. */
  accountNumber: number;
  shape: Shape;
  /** Each row is one item of the kind's `itemOfRow`. */
  joinsRows: boolean;
}

type Reading = Pick<ConvertOptions, 'keepUndocumented' | 'supplier'>;

/** @throws Failure, which names the column and what may stand there */
export function readHeader(
  header: readonly string[],
  kind: Kind,
  { file, options }: { file: string; options: Reading },
): Columns {
  const names = header.map((name) => name.trim());
  const joinsRows = names.some((name) => isItemOfRow(name, kind));
  const list = names.map((name) => columnOf(name, kind));
  refuseUnknown(list, kind, { file, options });
  refuseRepeats(names, file);
  if (joinsRows) refusePlaces(names, kind, file);
  refuseMissing(names, kind, { file, options });
  refuseNumbersAsNames(list, kind, file);
  try {
    return {
      list,
      accountNumber: names.indexOf(ACCOUNT_NUMBER),
      shape: shapeOfRow(list.map(({ path }) => path)),
      joinsRows,
    };
  } catch (error) {
    if (!(error instanceof ColumnsCollide)) throw error;
    throw new Failure('usage', `${file} has two columns for one value: a field, and another below or beside it.`, {
      lines: [`  Columns: ${names.join(', ')}`],
    });
  }
}

function columnOf(header: string, kind: Kind): Column {
  if (header === REJECTED_BECAUSE) return { header, path: undefined, kind: 'text', schemas: [], isRequired: false };
  if (header === ACCOUNT_NUMBER) {
    const path = kind.field === '' ? [header] : undefined;
    return { header, path, kind: 'text', schemas: [AccountNumber], isRequired: true };
  }
  const written = isItemOfRow(header, kind) ? header.replace('.', '.0.') : header;
  const path = written.split('.');
  const schemas = path.every(isName) ? schemasAtPath(kind.schema, path) : [];
  return {
    header,
    path,
    kind: schemas.length === 0 ? 'text' : cellKindOf(schemas),
    schemas,
    isRequired: requiredFields(kind.schema).includes(header),
  };
}

/** `meter_points.identifier`, where a row is one meter point. */
function isItemOfRow(header: string, { itemOfRow }: Kind): boolean {
  return itemOfRow !== undefined && header.startsWith(`${itemOfRow}.`) && !/^\w+\.\d/.test(header);
}

/** A row is one item of the list: a second one in it would be lost. */
function refusePlaces(names: readonly string[], { itemOfRow: list }: Kind, file: string): void {
  const placed = names.find((name) => name.startsWith(`${list}.`) && /^\w+\.\d/.test(name));
  if (placed === undefined) return;
  throw new Failure('usage', `${file} has a row for each of ${list}, and ${placed} says a place among them.`, {
    lines: [`  Give each column of ${list} its place, or none of them.`],
  });
}

type Where = { file: string; options: Reading };

function refuseUnknown(columns: readonly Column[], kind: Kind, { file, options }: Where): void {
  const unknown = columns.filter(
    ({ path, schemas, header }) => path !== undefined && schemas.length === 0 && !isKept(header, options),
  );
  if (unknown.length === 0) return;
  const known = [ACCOUNT_NUMBER, ...documentedPaths(kind.schema)];
  const lines = unknown.slice(0, 20).map(({ header }) => {
    const closest = closestNames(header, known);
    return `  ${header === '' ? '(a column without a name)' : header}${closest.length > 0 ? `  is it ${closest.join(', or ')}?` : ''}`;
  });
  throw new Failure(
    'usage',
    `${file} has ${unknown.length === 1 ? 'a column' : 'columns'} that no ${kind.name} have:`,
    {
      lines: [
        ...lines,
        ...kindHint(columns, kind),
        `  Rename or remove ${unknown.length === 1 ? 'it' : 'them'}, or give --keep-undocumented to send such columns as they are.`,
        ...EXPECTED_FORM.lines,
      ],
    },
  );
}

/** Where every column is one of another kind, the file was given for the wrong one. */
function kindHint(columns: readonly Column[], kind: Kind): string[] {
  const other = KINDS.find(
    ({ name, schema }) =>
      name !== kind.name &&
      columns.every(({ header }) => header === ACCOUNT_NUMBER || schemasAtPath(schema, header.split('.')).length > 0),
  );
  return other === undefined ? [] : [`  All of them are columns of ${other.name}: is it a file for --${other.name}?`];
}

function isKept(header: string, { keepUndocumented }: Reading): boolean {
  return keepUndocumented === true && header.split('.').every(isName);
}

/** Not what the service refuses as a name. */
function isName(name: string): boolean {
  return name !== '' && name !== '__proto__' && !isAlwaysEscaped(name);
}

/** Where anything may stand, `usage.2023` is a name or a place in a list: only places from 0 on can be told from names. */
function refuseNumbersAsNames(columns: readonly Column[], kind: Kind, file: string): void {
  const placesBelow = new Map<string, Set<string>>();
  for (const { path = [] } of columns) {
    for (const [depth, name] of path.entries()) {
      const above = path.slice(0, depth);
      if (depth === 0 || !/^\d+$/.test(name) || isList(schemasAtPath(kind.schema, above))) continue;
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
  const depth = path.findIndex(
    (_, index) => cellKindOf(schemasAtPath(kind.schema, path.slice(0, index + 1))) === 'json',
  );
  if (depth === -1) return [];
  const column = path.slice(0, depth + 1).join('.');
  return [`  To send an object with such names, make one column ${column} of it, with JSON in its cells.`];
}

const isList = (schemas: readonly z.core.$ZodType[]) =>
  schemas.length > 0 && schemas.every((schema) => (schema as z.core.$ZodTypes)._zod.def.type === 'array');

function refuseRepeats(names: readonly string[], file: string): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Failure('usage', `${file} has the column ${repeated} twice.`);
}

function refuseMissing(names: readonly string[], kind: Kind, { file, options }: Where): void {
  const required = [ACCOUNT_NUMBER, ...requiredFields(kind.schema)].filter(
    (name, index, all) =>
      all.indexOf(name) === index && !(name === 'import_supplier' && options.supplier !== undefined),
  );
  const missing = required.filter((name) => !names.some((header) => header === name || header.startsWith(`${name}.`)));
  if (missing.length === 0) return;
  const supplier = missing.includes('import_supplier')
    ? ['  --supplier CODE stands for import_supplier in every row.']
    : [];
  throw new Failure(
    'usage',
    `${file} lacks the ${missing.length === 1 ? 'column' : 'columns'} ${missing.join(', ')}.`,
    {
      lines: [`  It has: ${names.join(', ')}`, ...supplier, ...EXPECTED_FORM.lines],
    },
  );
}
