import type { ImportNotesResponse, Note } from '@causeway/contracts';
import type { NewNote } from './note-record.ts';

/** The fields of a stored note that decide whether two notes are the same. */
export interface StoredNote {
  body: string | null;
  document_paths: string[];
  created_at: string;
}

/**
 * Decides which notes are new (behaviour 2.4): two notes are the same if their bodies are equal and, if `created_at` is
 * present, that is equal too; without a body, if their document paths are equal. A repeat inside one request is the
 * same note too.
 */
export function decideNotes(
  notes: Note[],
  stored: StoredNote[],
  now: string,
): { results: ImportNotesResponse; added: NewNote[] } {
  const known = new Map<string, Set<string>>();
  for (const note of stored) {
    remember(known, sameness(note.body, note.document_paths), note.created_at);
  }
  const added: NewNote[] = [];
  const results = notes.map((note) => {
    const key = sameness(
      note.body,
      note.document_paths?.map(({ document_path }) => document_path),
    );
    const created_at = note.created_at ?? now;
    const times = known.get(key);
    const exists = times !== undefined && (note.created_at === undefined || times.has(note.created_at));
    if (!exists) {
      remember(known, key, created_at);
      added.push({ ...note, created_at });
    }
    const shownAt = exists && note.created_at === undefined ? ([...times].at(0) ?? created_at) : created_at;
    const status = exists ? ('NOTE_ALREADY_EXISTS' as const) : ('NOTE_CREATION_SUCCESS' as const);
    return { created_at: shownAt, body: note.body ?? null, status };
  });
  return { results, added };
}

function sameness(body: string | null | undefined, documentPaths: string[] | undefined): string {
  return JSON.stringify(body ?? documentPaths);
}

function remember(known: Map<string, Set<string>>, key: string, createdAt: string): void {
  const times = known.get(key);
  if (times === undefined) {
    known.set(key, new Set([createdAt]));
  } else {
    times.add(createdAt);
  }
}
