import { documentedPaths, requiredFields } from '@causeway/contracts';
import type { z } from 'zod';
import { Failure } from '../frame/failure.ts';
import { type CellKind, cellKindOf } from './cell-kind.ts';
import { closestNames } from './closest-names.ts';
import { EACH, isName, pathOfHeader, schemasOf, undressed } from './header-path.ts';
import { ACCOUNT_NUMBER, AccountNumber, KINDS, type Kind, keyColumns, pathOf, REJECTED_BECAUSE } from './kinds.ts';
import type { ConvertOptions } from './options.ts';
import { listName, refuseListsSideBySide, refuseNumbersAsNames, refusePlaces } from './places.ts';
import { ColumnsCollide, type Shape, shapeOfRow } from './row-shape.ts';

/** One column of a file. */
export interface Column {
  /** As the file writes it. */
  header: string;
  /** The name of a column that says where the row belongs. */
  key: string | undefined;
  /** Where its cells go in a row's value; undefined: they are no part of it. */
  path: readonly string[] | undefined;
  /** The same as a line of the book has it: `customers.*.landline`. */
  placeInLine: string;
  kind: CellKind;
  schemas: readonly z.core.$ZodType[];
  isRequired: boolean;
}

/** What the header of a file says. */
export interface Columns {
  list: readonly Column[];
  shape: Shape;
  /** The lists of which a row is one item, the outer ones first: `meter_points`, `meter_points.meters`. */
  lists: readonly string[];
  /** The columns of a postcode and of its country. */
  postcodes: readonly { postcode: number; country: number }[];
  /** Some columns have places in lists, which may be left with gaps. */
  hasPlaces: boolean;
  /** Each row is one cell, `json`: the whole value, with the columns that say where it belongs. */
  isWhole: boolean;
}

type Reading = Pick<ConvertOptions, 'keepUndocumented' | 'supplier'>;
interface Where {
  file: string;
  options: Reading;
  /** Where to look for what is expected. */
  advice?: string;
}

const EXPECTED_FORM = 'To see the expected form: causeway sample --csv sample';

/** @throws Failure, which names the column and what may stand there */
export function readHeader(header: readonly string[], kind: Kind, where: Where): Columns {
  const fields = header.filter((name) => undressed(name) !== undressed(REJECTED_BECAUSE));
  if (fields.length === 1 && undressed(fields[0] ?? '') === WHOLE) return wholeRows(header);
  const list = header.map((name) => columnOf(name, kind));
  refuseUnknown(list, kind, where);
  refuseRepeats(list, where.file);
  refusePlaces(list, where.file);
  refuseMissing(list, kind, where);
  refuseNumbersAsNames(
    list.map(({ path = [] }) => path),
    kind,
    where.file,
  );
  const paths = list.map(({ path }) => path);
  const lists = listsOf(paths);
  refuseListsSideBySide(lists, where.file);
  try {
    return {
      list,
      shape: shapeOfRow(paths),
      lists,
      hasPlaces: paths.some((path) => path?.some((name) => /^\d+$/.test(name))),
      postcodes: postcodesOf(paths.map((path) => path?.join('.') ?? '')),
      isWhole: false,
    };
  } catch (error) {
    if (!(error instanceof ColumnsCollide)) throw error;
    const sentence = `${where.file} has two columns for one value: a field, and another below or beside it.`;
    throw new Failure('usage', sentence, { lines: [`  Columns: ${header.join(', ')}`] });
  }
}

const WHOLE = 'json';

function wholeRows(header: readonly string[]): Columns {
  const list = header.map((name): Column => {
    const path = undressed(name) === WHOLE ? [name] : undefined;
    return { header: name, key: undefined, path, placeInLine: name, ...TEXT, isRequired: path !== undefined };
  });
  return { list, shape: 0, lists: [], hasPlaces: false, postcodes: [], isWhole: true };
}

const TEXT = { kind: 'text', schemas: [] as z.core.$ZodType[], isRequired: false } as const;

function columnOf(header: string, kind: Kind): Column {
  const column = bareColumnOf(header, kind);
  const name = column.path?.join('.').replace(/\.\d+/g, '.*') ?? column.key ?? header;
  return { ...column, placeInLine: pathOf(kind, name) };
}

function bareColumnOf(header: string, kind: Kind): Omit<Column, 'placeInLine'> {
  const plain = undressed(header);
  if (plain === undressed(REJECTED_BECAUSE)) return { header, ...TEXT, key: undefined, path: undefined };
  const key = keyColumns(kind).find((name) => undressed(name) === plain);
  if (key !== undefined) {
    const schemas = key === ACCOUNT_NUMBER ? [AccountNumber] : [];
    const isRequired = !kind.into?.steps.some(({ column, isOptional }) => column === key && isOptional);
    return { header, ...TEXT, key, path: undefined, schemas, isRequired };
  }
  const path = pathOfHeader(header, kind.schema);
  if (path === undefined) return { header, ...TEXT, key: undefined, path: header.split('.') };
  const schemas = schemasOf(kind.schema, path);
  const isRequired = path.length === 1 && requiredFields(kind.schema).includes(path[0] ?? '');
  const isNumber = kind.field === '' && path.length === 1 && path[0] === ACCOUNT_NUMBER;
  return { header, key: isNumber ? ACCOUNT_NUMBER : undefined, path, kind: cellKindOf(schemas), schemas, isRequired };
}

function postcodesOf(names: readonly string[]): Columns['postcodes'] {
  return names.flatMap((name, postcode) => {
    const country = name.endsWith('postal_code') ? names.indexOf(name.replace(/postal_code$/, 'country')) : -1;
    return country === -1 ? [] : [{ postcode, country }];
  });
}

function listsOf(paths: readonly (readonly string[] | undefined)[]): string[] {
  const lists = new Set<string>();
  for (const path of paths) {
    for (const [depth, name] of (path ?? []).entries()) {
      if (name === EACH) lists.add(listName((path ?? []).slice(0, depth)));
    }
  }
  return [...lists].sort((one, other) => one.split('.').length - other.split('.').length);
}

function refuseUnknown(columns: readonly Column[], kind: Kind, { file, options, advice = EXPECTED_FORM }: Where): void {
  const unknown = columns.filter(
    ({ path, schemas, header }) => path !== undefined && schemas.length === 0 && !isKept(header, options),
  );
  if (unknown.length === 0) return;
  const known = [ACCOUNT_NUMBER, ...keyColumns(kind), ...documentedPaths(kind.schema)];
  const lines = unknown.slice(0, 20).map(({ header }) => {
    const closest = closestNames(header, known);
    return `  ${header}${closest.length > 0 ? `  is it ${closest.join(', or ')}?` : ''}`;
  });
  const isOne = unknown.length === 1;
  throw new Failure('usage', `${file} has ${isOne ? 'a column' : 'columns'} that no ${kind.name} have:`, {
    lines: [
      ...lines,
      ...kindHint(columns, kind),
      `  All that they have: causeway fields ${kind.name}`,
      `  Rename or remove ${isOne ? 'it' : 'them'}, or give --keep-undocumented to send such columns as they are.`,
      `  ${advice}`,
    ],
  });
}

/** Where every column is one of another kind, the file was given for the wrong one. */
function kindHint(columns: readonly Column[], kind: Kind): string[] {
  const isOf = (other: Kind) =>
    columns.every(
      ({ header }) => columnOf(header, other).schemas.length > 0 || columnOf(header, other).key !== undefined,
    );
  const other = KINDS.find((one) => one.name !== kind.name && isOf(one));
  return other === undefined ? [] : [`  All of them are columns of ${other.name}: is it a file for --${other.name}?`];
}

function isKept(header: string, { keepUndocumented }: Reading): boolean {
  return keepUndocumented === true && header.split('.').every(isName);
}

/** Two headers in other dress are one field. */
function refuseRepeats(columns: readonly Column[], file: string): void {
  const known = new Map<string, string>();
  for (const { header, key, path } of columns) {
    const name = key ?? path?.join('.') ?? header;
    const other = known.get(name);
    if (other !== undefined) {
      const both = other === header ? `the column ${header} twice` : `two columns for ${name}: ${other}, and ${header}`;
      throw new Failure('usage', `${file} has ${both}.`);
    }
    known.set(name, header);
  }
}

function refuseMissing(columns: readonly Column[], kind: Kind, { file, options, advice = EXPECTED_FORM }: Where): void {
  const keys = keyColumns(kind).filter((key) => columnOf(key, kind).isRequired);
  const required = [...new Set([ACCOUNT_NUMBER, ...keys, ...requiredFields(kind.schema)])].filter(
    (name) => !(name === 'import_supplier' && options.supplier !== undefined),
  );
  const missing = required.filter((name) => !columns.some(({ key, path }) => key === name || path?.[0] === name));
  if (missing.length === 0) return;
  const supplier = missing.includes('import_supplier')
    ? ['  --supplier CODE stands for import_supplier in every row.']
    : [];
  const lacks = `${file} lacks the ${missing.length === 1 ? 'column' : 'columns'} ${missing.join(', ')}.`;
  throw new Failure('usage', lacks, {
    lines: [`  It has: ${columns.map(({ header }) => header).join(', ')}`, ...supplier, `  ${advice}`],
  });
}
