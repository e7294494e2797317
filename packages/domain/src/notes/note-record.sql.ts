import { fragment } from '@causeway/db';

/** The columns of a new note, and the shape in which `json_to_recordset` reads them from `noteRecord`s. */
export const NOTE_COLUMNS = fragment`
  body, document_paths, created_at, is_pinned, unpin_at, external_id, is_archived, is_generated`;
export const NOTE_RECORD = fragment`
  (body text, document_paths text[], created_at timestamptz, is_pinned boolean, unpin_at timestamptz,
    external_id text, is_archived boolean, is_generated boolean)`;
