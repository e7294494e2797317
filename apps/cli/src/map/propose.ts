import type { DatabaseSync } from 'node:sqlite';
import { ACCOUNT_NUMBER } from '../convert/kinds.ts';
import { quotedName } from '../extract/sql-names.ts';
import { counted } from '../terminal/numbers.ts';
import { type DecidedTable, decideTable } from './decide-table.ts';
import { findKeys } from './find-keys.ts';
import type { Knowledge } from './judge-column.ts';
import { meaningsOf } from './name-column.ts';
import { placeAccounts } from './place-accounts.ts';
import { type TableFacts, valuesIn } from './survey-values.ts';
import type { Draft, DraftPart } from './write-mapping.ts';

/** Decides each file by itself, and then together whose the rows of all are. */
export function propose(tables: readonly TableFacts[], database: DatabaseSync, knowledge: Knowledge): Draft {
  const named = tables.map((table) => ({ table, meanings: meaningsOf(table.columns.map(({ name }) => name)) }));
  const valuesOf = (table: string, column: string) => valuesIn(database, table, column);
  const keys = findKeys(named, valuesOf);
  const decided = named.map((one) => decideTable(one, keys.get(one.table) ?? new Map(), knowledge));
  addRegisters(decided);
  placeAccounts(decided, valuesOf);
  const draft = {
    parts: decided.flatMap(({ parts }) => parts),
    open: new Map(decided.map(({ table, open }) => [table.name, open])),
  };
  for (const part of draft.parts) leaveOutRepeats(part, { draft, facts: tables, database });
  return draft;
}

const OF_REGISTERS = new Set([ACCOUNT_NUMBER, 'meter_point_identifier', 'meter_serial_number', 'register_id']);

/** The registers that readings name, where no file lists them: a reading of an unknown register is refused. */
function addRegisters(tables: readonly DecidedTable[]): void {
  const [readings, other] = tables.filter(({ parts }) => parts.some(({ kind }) => kind === 'readings'));
  const part = readings?.parts.find(({ kind }) => kind === 'readings');
  if (readings === undefined || part === undefined || other !== undefined) return;
  const all = tables.flatMap(({ parts }) => parts);
  const isListed = all.some(
    (one) => one.kind === 'registers' || one.columns.some(({ path }) => /registers\./.test(path)),
  );
  if (isListed) return;
  const columns = part.columns.filter(({ path }) => OF_REGISTERS.has(path));
  if (!columns.some(({ path }) => path === 'register_id')) return;
  readings.parts.push({ ...part, kind: 'registers', columns, joins: [] });
}

/** A row a line repeats its bill, and a row a customer its account: those are written once. */
function leaveOutRepeats(
  part: DraftPart,
  { draft, facts, database }: { draft: Draft; facts: readonly TableFacts[]; database: DatabaseSync },
): void {
  const table = facts.find(({ name }) => name === part.table);
  const isAlone = draft.parts.filter((other) => other.table === part.table).length === 1;
  // The bill of a line has no other place.
  if (table === undefined || (isAlone && part.kind !== 'statements')) return;
  const names = part.columns.flatMap(({ column, also, from }) =>
    from === undefined ? [column, also].filter((name) => name !== undefined).map(quotedName) : [],
  );
  if (names.length === 0) return;
  const rows = `SELECT DISTINCT ${names.join(', ')} FROM ${quotedName(table.name)} WHERE _fault IS NULL`;
  const different = Number(database.prepare(`SELECT count(*) AS rows FROM (${rows})`).get()?.rows);
  part.isDistinct = different < table.rows;
  const number = part.columns.find(({ path: field }) => field === ACCOUNT_NUMBER);
  const accounts = table.columns.find(({ name }) => name === number?.column)?.distinct ?? different;
  if (part.kind !== 'accounts' || number === undefined || different <= accounts) return;
  number.says += `; ${counted(different - accounts, 'more row')} with other values: an account may have one`;
}
