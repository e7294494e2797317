import { tableLines } from '../terminal/lines.ts';
import type { Context, Result } from './define-command.ts';

/** A list as a table for people, one document for `--json`, and an event for each record for `--json-lines`. */
export function listed<Name extends string, Record extends object>(
  { output }: Context,
  { name, records }: { name: Name; records: readonly Record[] },
  row: (record: Record) => string[],
): Result {
  for (const record of records) output.event(name, record);
  const document = output.form === 'json' ? { [name]: records } : { count: records.length };
  return { document, lines: tableLines(records.map(row)) };
}
