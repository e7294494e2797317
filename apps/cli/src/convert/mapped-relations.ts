import { OWN_COLUMNS } from '../extract/column-names.ts';
import { checkEach } from '../extract/question.ts';
import type { Source } from '../extract/source.ts';
import { quotedName } from '../extract/sql-names.ts';
import { tableNames } from '../extract/table-names.ts';
import { loadTable, type TextTable } from '../extract/tables.ts';
import { Failure } from '../frame/failure.ts';
import { MANIFEST, type Relation as MappedView } from '../mapping/relations.ts';
import { counted } from '../terminal/numbers.ts';
import { readHeader } from './columns.ts';
import { controlTotals } from './control-totals.ts';
import { viewOf } from './kind-names.ts';
import { KINDS } from './kinds.ts';
import type { ConvertOptions } from './options.ts';
import type { Progress } from './progress.ts';
import type { UnreadRelation } from './relations.ts';
import type { Store } from './store.ts';

interface Loading {
  database: Store['database'];
  options: Pick<ConvertOptions, 'leaveOutDamaged'>;
  progress: Progress;
}

/**
 * Reads each file into a table of its own name. No row of them may be damaged: a mapping says which account a row belongs
 * to by its cells.
 */
export async function loadMappedFiles(
  sources: readonly Source[],
  { database, options, progress }: Loading,
): Promise<TextTable[]> {
  const names = tableNames(sources);
  const tables: TextTable[] = [];
  for (const [index, source] of sources.entries()) {
    progress.begin(source);
    tables.push(await loadTable(database, { source, name: names[index] ?? '' }, progress));
  }
  const whole: TextTable[] = [];
  await checkEach(tables, (table) => {
    const damaged = leftOut(database, table, options);
    whole.push({ ...table, remarks: [...table.remarks, ...damaged, ...controlTotals(database, table)] });
  });
  return whole;
}

const MAX_LINES_NAMED = 10;

/** Rows that cannot be read: how many, on which lines, and what is wrong with the first. */
export interface DamagedRows {
  rows: number;
  lines: string;
  fault: string;
}

/** The rows of a table that cannot be read, if there are any. */
export function damagedRows(database: Store['database'], name: string): DamagedRows | undefined {
  const from = `FROM ${quotedName(name)} WHERE _fault IS NOT NULL`;
  const damaged = database
    .prepare(`SELECT _line AS line, _fault AS fault ${from} ORDER BY rowid LIMIT ${MAX_LINES_NAMED}`)
    .all();
  const [first] = damaged;
  if (first === undefined) return undefined;
  const rows = Number(database.prepare(`SELECT count(*) AS n ${from}`).get()?.n);
  const lines = `${damaged.length === 1 ? 'line' : 'lines'} ${damaged.map(({ line }) => line).join(', ')}${rows > damaged.length ? ' and others' : ''}`;
  return { rows, lines, fault: String(first.fault) };
}

function leftOut(
  database: Store['database'],
  { name, source }: TextTable,
  { leaveOutDamaged }: Loading['options'],
): string[] {
  const damaged = damagedRows(database, name);
  if (damaged === undefined) return [];
  const { rows, lines, fault } = damaged;
  if (leaveOutDamaged === true) {
    database.exec(`DELETE FROM ${quotedName(name)} WHERE _fault IS NOT NULL`);
    return [`${counted(rows, 'damaged row')} left out: ${lines}`];
  }
  const sentence = `${source.name} has ${counted(rows, 'row')} that cannot be read: ${lines}. ${fault}`;
  throw new Failure('usage', sentence, { lines: [LEAVE_OUT] });
}

const LEAVE_OUT =
  '  Fix such rows, or give --leave-out-damaged: the accounts that they belong to are then written without them.';

/**
 * The views of a mapping as relations, its manifest aside.
 *
 * @throws Failure with the columns of every view that are wrong
 */
export async function relationsOf(
  { database }: Store,
  views: readonly MappedView[],
  { mapping, options }: { mapping: string; options: ConvertOptions },
): Promise<UnreadRelation[]> {
  const relations: UnreadRelation[] = [];
  await checkEach(views, ({ name, table, columns: header }) => {
    const kind = KINDS.find((one) => viewOf(one.name) === name);
    if (kind === undefined) return;
    for (const column of OWN_COLUMNS) {
      if (!header.includes(column)) database.exec(`ALTER TABLE ${quotedName(table)} ADD COLUMN ${column}`);
    }
    const own: readonly string[] = OWN_COLUMNS;
    const file = `${mapping}, view ${name}`;
    const fields = header.filter((column) => !own.includes(column));
    const columns = readHeader(fields, kind, { file, options, advice: EDIT });
    relations.push({ kind, table, file, columns, isMapped: true });
  });
  return relations;
}

const EDIT = 'Edit the view: in a draft of causeway map, its lines with -- ? say what may fill it.';

/** The manifest of a mapping, if it has one. */
export const manifestOf = (views: readonly MappedView[]) => views.find(({ name }) => name === MANIFEST);
