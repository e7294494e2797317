import type { Note } from '@causeway/contracts';

/** A note about to be stored: `created_at` is known by now. */
export type NewNote = Note & { created_at: string };

/** The columns of a new note, and the shape in which `json_to_recordset` reads them from `noteRecord`s. */
export const NOTE_COLUMNS = 'body, document_paths, created_at, is_pinned, unpin_at';
export const NOTE_RECORD =
  'note (body text, document_paths text[], created_at timestamptz, is_pinned boolean, unpin_at timestamptz)';

/** The row of a note. Document paths are stored as sent (specification 2.3). */
export function noteRecord(note: NewNote): Record<string, unknown> {
  return {
    body: note.body,
    document_paths: (note.document_paths ?? []).map(({ document_path }) => document_path),
    created_at: note.created_at,
    is_pinned: note.is_pinned ?? false,
    unpin_at: note.unpin_at,
  };
}
