import type { Note } from '@causeway/contracts';

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
