import { refuseNoHeader } from '../extract/column-names.ts';
import { firstRowsOf } from '../extract/first-rows.ts';
import { checkEach } from '../extract/question.ts';
import type { Source } from '../extract/source.ts';
import { loadTable, type TextTable } from '../extract/tables.ts';
import type { TextRow } from '../extract/text-row.ts';
import { Failure } from '../frame/failure.ts';
import { type Columns, readHeader } from './columns.ts';
import { controlTotals } from './control-totals.ts';
import { EACH, pathOfHeader, undressed } from './header-path.ts';
import { ACCOUNT_NUMBER, KINDS, type Kind, kindNamed } from './kinds.ts';
import type { KindSource } from './open-input.ts';
import { type ConvertOptions, filesOf } from './options.ts';
import type { Progress } from './progress.ts';
import type { UnreadRelation } from './relations.ts';
import type { Store } from './store.ts';

/** A file of the command, with its kind. */
interface OfKind {
  kind: Kind;
  source: Source;
}

/** The relation of a file that was read. */
export type LoadedRelation = UnreadRelation & { loaded: TextTable };

/**
 * Reads all files into the store, and their headers as the fields of their kinds: first the headers, then the rows.
 *
 * @throws Failure with the columns of every file that are wrong: nobody has to run a command once a file to learn them
 */
export async function loadRelations(
  opened: readonly KindSource[],
  { store, options, progress }: { store: Store; options: ConvertOptions; progress: Progress },
): Promise<LoadedRelation[]> {
  const sources = opened.map(({ kind, source }) => ({ kind: kindNamed(kind), source }));
  await checkEach(sources, async (one) => {
    const [header, ...others] = await firstRowsOf(one.source);
    refuseNoHeader(header.cells, one.source.name);
    try {
      columnsOf(named(header.cells), one, options);
    } catch (error) {
      throw error instanceof Failure ? withHeaderHint(error, others, one) : error;
    }
  });
  const tables: TextTable[] = [];
  for (const [index, { source }] of sources.entries()) {
    progress.begin(source);
    const table = await loadTable(store.database, { source, name: `file ${index + 1}` }, progress);
    tables.push({ ...table, remarks: [...table.remarks, ...controlTotals(store.database, table)] });
  }
  const relations: LoadedRelation[] = [];
  await checkEach(sources, async (one, index) => {
    const loaded = tables[index];
    if (loaded === undefined) return;
    const columns = columnsOf(loaded.columns, one, options);
    relations.push({ kind: one.kind, table: loaded.name, file: one.source.name, columns, loaded });
  });
  return relations;
}

const named = (cells: readonly string[]) => cells.filter((name) => name.trim() !== '');

/** A title stands above many headers. */
function withHeaderHint(failure: Failure, rows: readonly TextRow[], { kind }: OfKind): Failure {
  const isHeader = ({ cells }: TextRow) =>
    cells.some((cell) => undressed(cell) === undressed(ACCOUNT_NUMBER)) ||
    (named(cells).length > 1 && named(cells).every((cell) => pathOfHeader(cell, kind.schema) !== undefined));
  const header = rows.find(isHeader);
  if (header === undefined) return failure;
  const flag = `--header-line ${kind.name}=${header.line}`;
  const lines = [`  Line ${header.line} looks like its header: give ${flag}`, ...failure.lines];
  return new Failure(failure.ending, failure.message, { lines });
}

function columnsOf(header: readonly string[], { kind, source }: OfKind, options: ConvertOptions): Columns {
  const columns = readHeader(header, kind, { file: source.name, options });
  refuseTwoPlaces(columns, { kind, source }, options);
  return columns;
}

/** A list that two files bring: one of them would be lost, or sent twice. */
function refuseTwoPlaces({ list }: Columns, { kind, source }: OfKind, options: ConvertOptions): void {
  const places = list.flatMap(({ path: place }) => (place === undefined ? [] : [fullPath(kind, place)]));
  for (const other of KINDS) {
    if (isWithin(kind, other) || filesOf(options, other.name).length === 0) continue;
    const fields = [fullPath(other), ...(other.fieldOfSeveral === undefined ? [] : [other.fieldOfSeveral])];
    const found = fields.find((field) => places.some((place) => `${place}.`.startsWith(`${field}.`)));
    if (found === undefined) continue;
    const sentence = `${source.name} has columns of ${found}, and --${other.name} brings them too. Give them in one place.`;
    throw new Failure('usage', sentence);
  }
}

/** All rows of a kind go there. */
const isWithin = (kind: Kind, other: Kind) => `${fullPath(kind)}.`.startsWith(`${fullPath(other)}.`);

/** From the line or its account on, without places: `supply_addresses.meter_points.meters.registers`. */
function fullPath({ field, into }: Kind, place: readonly string[] = []): string {
  const lists = into === undefined ? [] : [...into.steps.map(({ list }) => list), into.list];
  return [field, ...lists, ...place].filter((name) => name !== '' && name !== EACH && !/^\d+$/.test(name)).join('.');
}
