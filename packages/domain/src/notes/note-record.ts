import type { Note } from '@causeway/contracts';
import { fragment } from '@causeway/db';

/** The columns of a new note, and the shape in which `json_to_recordset` reads them from `noteRecord`s. */
export const NOTE_COLUMNS = fragment`
  body, document_paths, created_at, is_pinned, unpin_at, external_id, is_archived, is_generated`;
export const NOTE_RECORD = fragment`
  (body text, document_paths text[], created_at timestamptz, is_pinned boolean, unpin_at timestamptz,
    external_id text, is_archived boolean, is_generated boolean)`;

/** A note about to be stored: `created_at` is set. */
export type NewNote = Note & { created_at: string };

/** The row of a note. Document paths are stored as sent (behaviour 2.3). */
export function noteRecord(note: NewNote): Record<string, unknown> {
  return {
    body: note.body,
    document_paths: (note.document_paths ?? []).map(({ document_path }) => document_path),
    created_at: note.created_at,
    is_pinned: note.is_pinned ?? false,
    unpin_at: note.unpin_at,
    external_id: note.external_id,
    is_archived: note.is_archived ?? false,
    is_generated: false,
  };
}

/** The row of a pinned note that the service writes itself. */
export function supportNoteRecord(body: string, created_at: string): Record<string, unknown> {
  return { ...noteRecord({ body, created_at, is_pinned: true }), is_generated: true };
}
