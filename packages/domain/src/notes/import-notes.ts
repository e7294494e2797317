import type { ImportNotesRequest, ImportNotesResponse } from '@causeway/contracts';
import { statement } from '@causeway/db';
import { claimAccount, FIND_ACCOUNT, importIntoAccount, type SeenAccount } from '../accounts/import-into-account.ts';
import { AUDIT_COLUMNS } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { decideNotes, type StoredNote } from './decide-notes.ts';
import { NOTE_COLUMNS, NOTE_RECORD, noteRecord } from './note-record.ts';

const IMPORT_NOTES = statement(
  'import-notes',
  `WITH ${FIND_ACCOUNT},
  record AS MATERIALIZED (SELECT ${NOTE_COLUMNS} FROM json_to_recordset($9::json) AS ${NOTE_RECORD}),
  stored AS MATERIALIZED (
    SELECT id, body, document_paths, created_at FROM notes
    WHERE account_import_id = $1 AND (body IS NULL OR body IN (SELECT body FROM record))
  ),
  ${claimAccount('NOT EXISTS (SELECT FROM stored)')},
  added AS (
    INSERT INTO notes (account_import_id, ${NOTE_COLUMNS}) SELECT $1, ${NOTE_COLUMNS} FROM claimed, record
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT $1, $2, $3, $4, $5, 'account_import', 'notes_imported',
      jsonb_build_object('notes', json_array_length($9::json)) FROM claimed
  )
  SELECT revision, EXISTS (SELECT FROM claimed) AS written, (
    SELECT coalesce(json_agg(json_build_object('body', body, 'document_paths', document_paths,
      'created_at', to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) ORDER BY id), '[]') FROM stored
  ) AS notes
  FROM found`,
);

interface AccountWithNotes extends SeenAccount {
  notes: StoredNote[];
}

/**
 * Adds to the account the notes it does not have yet (specification 2.4, 4.4), all or none; answers for each, in order,
 * whether it was created or existed. Two equal requests at once add once.
 * Refuses with `import_supplier_does_not_exist` and `account_not_found`.
 */
export function importNotes(context: Context, request: ImportNotesRequest): Promise<ImportNotesResponse> {
  const now = utcDatetime(context.clock());
  return importIntoAccount(context, request, {
    statement: IMPORT_NOTES,
    decide(account?: AccountWithNotes) {
      const { results, added } = decideNotes(request.notes, account?.notes ?? [], now);
      const values = [JSON.stringify(added.map(noteRecord))];
      return { result: results, unchanged: added.length === 0, values };
    },
  });
}
