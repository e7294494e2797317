import type { ImportNotesRequest, ImportNotesResponse } from '@causeway/contracts';
import { fragment, narrow, type RowOf, sql } from '@causeway/db';
import { importIntoAccount } from '../imports/import.ts';
import { accountCalls, recordsOfCall, SEEN_ACCOUNT_COLUMNS, seenAccount } from '../imports/statement.sql.ts';
import { reportItems } from '../refusals/report-remarks.ts';
import { AUDITED_CALL } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { utcDatetime } from '../shared/dates.ts';
import { groupedStatement } from '../shared/grouped-statement.ts';
import { decideNotes, NOTE_COLUMNS, NOTE_RECORD, noteRecord, type StoredNote } from './decide-notes.ts';

const STORED = fragment`
      SELECT json_agg(json_build_object(
        'id', note.id::text,
        'body', body,
        'document_paths', document_paths,
        'created_at', to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'is_pinned', is_pinned,
        'unpin_at', to_char(unpin_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'external_id', external_id,
        'is_archived', is_archived
      ) ORDER BY note.id)
      FROM notes AS note
      WHERE account_import_id = input.id AND (
        body IS NULL OR external_id = ANY (input.external_ids) OR body IN (
          SELECT body
          FROM ${recordsOfCall(fragment`(body text)`)}
        )
      )`;

/**
 * Adds the records of each call as notes, or to notes their documents; `stored` are the account's with the same bodies or ids, or without a body.
 */
const IMPORT_NOTES = sql('import-notes', {
  ...SEEN_ACCOUNT_COLUMNS,
  stored: narrow<StoredNote[] | null>('json | null'),
})`
  WITH ${accountCalls({
    operation: 'notes',
    values: fragment`external_ids text[], first_record integer, last_record integer, count integer, filled integer`,
    stored: STORED,
    mayWriteUnseen: fragment`found.stored IS NULL`,
  })},
  added AS (
    INSERT INTO notes (account_import_id, ${NOTE_COLUMNS})
    SELECT id, ${NOTE_COLUMNS}
    FROM claimed, LATERAL ${recordsOfCall(NOTE_RECORD)}
    WHERE fills IS NULL
  ),
  filled AS (
    UPDATE notes AS note
    SET document_paths = record.document_paths
    FROM claimed, LATERAL ${recordsOfCall(NOTE_RECORD)}
    WHERE note.account_import_id = claimed.id
      AND note.id = record.fills
      AND coalesce(cardinality(note.document_paths), 0) = 0
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED_CALL} 'account_import', 'notes_imported',
      jsonb_strip_nulls(jsonb_build_object('notes', count, 'filled', filled))
    FROM claimed
  )
  SELECT ${seenAccount('notes')}, stored
  FROM found`;

type AccountWithNotes = RowOf<typeof IMPORT_NOTES>;

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
      const { results, added, filled } = decideNotes(request.notes, account?.stored ?? [], now);
      const external_ids = added.flatMap(({ external_id }) => external_id ?? []);
      const records = [...added.map(noteRecord), ...filled];
      const values = { external_ids, records, count: added.length, filled: filled.length || null };
      return { result: results, unchanged: records.length === 0, values };
    },
    report(results) {
      const items = results.map(({ status, external_id, body, differences }) => ({
        identifier: external_id ?? body ?? undefined,
        isKnown: status === 'NOTE_ALREADY_EXISTS',
        differences,
      }));
      return reportItems('notes', items, context.remarks);
    },
  });
}
