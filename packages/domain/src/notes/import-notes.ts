import type { ImportNotesRequest, ImportNotesResponse, Note } from '@causeway/contracts';
import { statement } from '@causeway/db';
import { CLAIM_REVISION, FIND_ACCOUNT, importIntoAccount } from '../accounts/import-into-account.ts';
import { AUDIT_COLUMNS, auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { decideNotes, type StoredNote } from './decide-notes.ts';
import { NOTE_COLUMNS, NOTE_RECORD, noteRecord } from './note-record.ts';

const READ_NOTES = statement(
  'read-notes',
  `SELECT account.revision, coalesce((
    SELECT json_agg(json_build_object('body', note.body, 'document_paths', note.document_paths,
      'created_at', to_char(note.created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) ORDER BY id)
    FROM notes note
    WHERE note.account_import_id = $1 AND (note.body = ANY ($4::text[]) OR note.body IS NULL)
  ), '[]') AS notes
  FROM ${FIND_ACCOUNT}`,
);

const WRITE_NOTES = statement(
  'write-notes',
  `WITH ${CLAIM_REVISION},
  added AS (
    INSERT INTO notes (account_import_id, ${NOTE_COLUMNS})
    SELECT account_import_id, ${NOTE_COLUMNS} FROM account, json_to_recordset($7::json) AS ${NOTE_RECORD}
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT $1, $2, $3, $4, $5, 'account_import', 'notes_imported',
      jsonb_build_object('notes', json_array_length($7::json)) FROM account
  )
  SELECT FROM account`,
);

interface AccountWithNotes {
  revision: number;
  notes: StoredNote[];
}

/**
 * Adds to the account the notes it does not have yet (specification 2.4, 4.4), all or none; answers for each, in order,
 * whether it was created or existed. Two equal requests at once add once.
 * Refuses with `import_supplier_does_not_exist` and `account_not_found`.
 */
export function importNotes(context: Context, request: ImportNotesRequest): Promise<ImportNotesResponse> {
  const { import_supplier, external_account_number, notes } = request;
  const bodies = notes.flatMap((note: Note) => note.body ?? []);
  return importIntoAccount(context, request, {
    async read(id) {
      const values = [id, import_supplier, external_account_number, bodies];
      const [account] = await context.database.query<AccountWithNotes>(READ_NOTES, values);
      return account;
    },
    async write(id, account) {
      const { results, added } = decideNotes(notes, account.notes, utcDatetime(context.clock()));
      if (added.length === 0) {
        return results;
      }
      const values = [...auditValues(context, id), account.revision, JSON.stringify(added.map(noteRecord))];
      const claimed = await context.database.query(WRITE_NOTES, values);
      return claimed.length === 1 ? results : undefined;
    },
  });
}
