import type { ImportNotesRequest, ImportNotesResponse } from '@causeway/contracts';
import { importIntoAccount } from '../accounts/import-into-account.ts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { groupedStatement } from '../grouped-statement.ts';
import { reportDifferences } from '../refusals/report-differences.ts';
import { decideNotes } from './decide-notes.ts';
import { type AccountWithNotes, IMPORT_NOTES } from './import-notes.sql.ts';
import { noteRecord } from './note-record.ts';

const importNotesTogether = groupedStatement(IMPORT_NOTES);

/**
 * Adds the notes that the account does not have yet (behaviour 2.4, 4.4), all or none. The answer says for each, in
 * order, whether it was created or existed. Two equal concurrent requests add once. Refuses with
 * `import_supplier_does_not_exist` and `account_not_found`.
 */
export async function importNotes(context: Context, request: ImportNotesRequest): Promise<ImportNotesResponse> {
  const now = utcDatetime(context.clock());
  return importIntoAccount(context, request, {
    operation: 'notes',
    write: importNotesTogether,
    decide(account?: AccountWithNotes) {
      const { results, added } = decideNotes(request.notes, account?.stored ?? [], now);
      const external_ids = added.flatMap(({ external_id }) => external_id ?? []);
      const values = { external_ids, records: added.map(noteRecord), count: added.length };
      return { result: results, unchanged: added.length === 0, values };
    },
    report: (results) => reportDifferences('notes', results),
  });
}
