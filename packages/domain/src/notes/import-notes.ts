import type { ImportNotesRequest, ImportNotesResponse } from '@causeway/contracts';
import { statement } from '@causeway/db';
import { accountCalls, importIntoAccount, SEEN_ACCOUNT, type SeenAccount } from '../accounts/import-into-account.ts';
import { AUDIT_COLUMNS, AUDIT_FIELDS } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { groupedStatement } from '../grouped-statement.ts';
import { decideNotes, type StoredNote } from './decide-notes.ts';
import { NOTE_COLUMNS, NOTE_RECORD, noteRecord } from './note-record.ts';

const importNotesTogether = groupedStatement<AccountWithNotes>(
  statement(
    'import-notes',
    `WITH ${accountCalls({
      values: 'records json, count integer',
      stored: `SELECT json_agg(json_build_object('body', body, 'document_paths', document_paths,
        'created_at', to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) ORDER BY note.id)
      FROM notes note WHERE account_import_id = input.id AND (body IS NULL
        OR body IN (SELECT body FROM json_to_recordset(coalesce(input.records, $3::json)) AS sent (body text)))`,
      clear: 'found.stored IS NULL',
    })},
  added AS (
    INSERT INTO notes (account_import_id, ${NOTE_COLUMNS})
    SELECT id, ${NOTE_COLUMNS} FROM claimed, json_to_recordset(coalesce(records, $3::json)) AS ${NOTE_RECORD}
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_FIELDS}, 'account_import', 'notes_imported', jsonb_build_object('notes', count) FROM claimed
  )
  SELECT ${SEEN_ACCOUNT}, stored FROM found`,
  ),
);

interface AccountWithNotes extends SeenAccount {
  stored: StoredNote[] | null;
}

/**
 * Adds to the account the notes it does not have yet (specification 2.4, 4.4), all or none; answers for each, in order,
 * whether it was created or existed. Two equal requests at once add once.
 * Refuses with `import_supplier_does_not_exist` and `account_not_found`.
 */
export function importNotes(context: Context, request: ImportNotesRequest): Promise<ImportNotesResponse> {
  const now = utcDatetime(context.clock());
  return importIntoAccount(context, request, {
    write: importNotesTogether,
    decide(account?: AccountWithNotes) {
      const { results, added } = decideNotes(request.notes, account?.stored ?? [], now);
      const values = { records: added.map(noteRecord), count: added.length };
      return { result: results, unchanged: added.length === 0, values };
    },
  });
}
