import type { FastifyInstance } from 'fastify';
import { usableSupplier } from '../shared/callers.ts';
import { type Fields, inTransaction, type Query } from '../shared/database.ts';
import { NotesRequest } from '../shared/payloads.ts';
import { utcSeconds } from '../shared/values.ts';
import { audit, lockAccount } from './imports.ts';
import { parse } from './refusals.ts';

export async function insertNotes(query: Query, id: string, notes: Fields[]): Promise<void> {
  if (notes.length === 0) return;
  await query(
    'notes',
    `INSERT INTO notes (account_import_id, body, document_paths, created_at, is_pinned, unpin_at)
    SELECT $1, record.* FROM json_to_recordset($2::json) AS record (body text, document_paths text[],
      created_at timestamptz, is_pinned boolean, unpin_at timestamptz)`,
    [id, JSON.stringify(notes)],
  );
}

/** Adds notes. */
export function noteCalls(app: FastifyInstance): void {
  app.post('/v1/data-import/notes/create', async (request, reply) => {
    const body = parse(NotesRequest, request.body);
    await usableSupplier(request, body.import_supplier);
    const results = await inTransaction(async (query) => {
      const { id } = await lockAccount(query, body, 404);
      const stored = await query<{ body: string | null; document_paths: string[]; created_at: Date }>(
        'known-notes',
        `SELECT body, document_paths, created_at FROM notes
        WHERE account_import_id = $1 AND (body = ANY ($2::text[]) OR body IS NULL) ORDER BY id`,
        [id, body.notes.flatMap((note) => note.body ?? [])],
      );
      const keyOf = (noteBody: string | null | undefined, paths: string[]) => JSON.stringify(noteBody ?? paths);
      const known = new Map<string, string[]>();
      const remember = (key: string, time: string) => known.set(key, [...(known.get(key) ?? []), time]);
      for (const note of stored) remember(keyOf(note.body, note.document_paths), utcSeconds(note.created_at));
      const now = utcSeconds(new Date());
      const added: Fields[] = [];
      const answers = body.notes.map((note) => {
        const document_paths = (note.document_paths ?? []).map(({ document_path }) => document_path);
        const key = keyOf(note.body, document_paths);
        const times = known.get(key);
        const shown = { created_at: note.created_at ?? now, body: note.body ?? null };
        if (times !== undefined && (note.created_at === undefined || times.includes(note.created_at))) {
          return { ...shown, created_at: note.created_at ?? times[0] ?? now, status: 'NOTE_ALREADY_EXISTS' };
        }
        remember(key, shown.created_at);
        const { is_pinned = false, unpin_at } = note;
        added.push({ ...shown, document_paths, is_pinned, unpin_at });
        return { ...shown, status: 'NOTE_CREATION_SUCCESS' };
      });
      if (added.length > 0) {
        await insertNotes(query, id, added);
        await audit(query, request, { id, action: 'notes_imported', detail: { notes: added.length } });
      }
      return answers;
    });
    reply.code(201);
    return results;
  });
}
