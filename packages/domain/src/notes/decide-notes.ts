import { type ImportNotesResponse, type Note, type NoteResult, pathBelowRoot } from '@causeway/contracts';
import { fragment } from '@causeway/db';

/** The columns of a new note, and the shape in which `json_to_recordset` reads them from `noteRecord`s. */
export const NOTE_COLUMNS = fragment`
  body, document_paths, created_at, is_pinned, unpin_at, external_id, is_archived, is_generated`;
export const NOTE_RECORD = fragment`
  (body text, document_paths text[], created_at timestamptz, is_pinned boolean, unpin_at timestamptz,
    external_id text, is_archived boolean, is_generated boolean, fills bigint)`;

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

/** A note of the account, as far as another one is compared with it. */
export interface StoredNote {
  /** Of one that is stored, its row. */
  id?: string;
  body: string | null;
  document_paths: string[];
  created_at: string;
  is_pinned?: boolean | undefined;
  unpin_at?: string | null | undefined;
  external_id?: string | null | undefined;
  is_archived?: boolean | undefined;
}

/** The documents of a stored note that had none, as a record of the import. */
export interface FilledNote {
  fills: string;
  document_paths: string[];
}

/**
 * Decides which notes are new (behaviour 2.4). Two notes are the same if their `external_id` is equal; a note without
 * one, if the bodies are equal and, if `created_at` is present, that is equal too; without a body, if the document
 * paths are. A repeat inside one request is the same note too. One that exists is shown as it is stored, with what
 * differs; documents are added to one that has none and is otherwise equal.
 */
export function decideNotes(
  notes: Note[],
  stored: StoredNote[],
  now: string,
): { results: ImportNotesResponse; added: NewNote[]; filled: FilledNote[] } {
  const known = new KnownNotes(stored);
  const added = new Map<StoredNote, NewNote>();
  const filled: FilledNote[] = [];
  const results = notes.map((note) => {
    const before = known.find(note);
    if (before === undefined) {
      const created_at = note.created_at ?? now;
      const record = asStored(note, created_at);
      known.add(record);
      added.set(record, { ...note, created_at });
      return resultOf(record, 'NOTE_CREATION_SUCCESS');
    }
    const document_paths = documentsFor(before, note);
    if (document_paths === undefined) return existing(note, before);
    before.document_paths = document_paths;
    const own = added.get(before);
    if (own !== undefined) own.document_paths = note.document_paths;
    else if (before.id !== undefined) filled.push({ fills: before.id, document_paths });
    return { ...resultOf(before, 'NOTE_ALREADY_EXISTS'), filled: ['document_paths'] };
  });
  return { results, added: [...added.values()], filled };
}

class KnownNotes {
  readonly #byId = new Map<string, StoredNote>();
  /** By what a note says, then by when: the first that was added of each. */
  readonly #byText = new Map<string, Map<string, StoredNote>>();

  constructor(stored: StoredNote[]) {
    for (const note of stored) this.add(note);
  }

  add(note: StoredNote): void {
    const { external_id, created_at } = note;
    if (external_id !== null && external_id !== undefined && !this.#byId.has(external_id)) {
      this.#byId.set(external_id, note);
    }
    const text = textOf(note);
    const times = this.#byText.get(text);
    if (times === undefined) this.#byText.set(text, new Map([[created_at, note]]));
    else if (!times.has(created_at)) times.set(created_at, note);
  }

  find({ external_id, body, document_paths, created_at }: Note): StoredNote | undefined {
    if (external_id !== undefined) return this.#byId.get(external_id);
    const times = this.#byText.get(textOf({ body, document_paths: pathsOf(document_paths) }));
    return created_at === undefined ? times?.values().next().value : times?.get(created_at);
  }
}

/** Undefined where there is nothing to add, or more than the documents differs. */
function documentsFor(before: StoredNote, note: Note): string[] | undefined {
  if (before.document_paths.length > 0) return undefined;
  const sent = asStored(note, note.created_at ?? before.created_at);
  const [differing, ...others] = differencesOf(sent, before);
  return differing === 'document_paths' && others.length === 0 ? sent.document_paths : undefined;
}

function existing(note: Note, before: StoredNote): NoteResult {
  const differences = differencesOf(asStored(note, note.created_at ?? before.created_at), before);
  return { ...resultOf(before, 'NOTE_ALREADY_EXISTS'), ...(differences.length > 0 && { differences }) };
}

/** The fields, by name, in which a note that was sent again differs from the one that the account has. */
function differencesOf(sent: StoredNote, before: StoredNote): string[] {
  const fields = [
    ['body', sent.body === before.body],
    ['document_paths', documentsOf(sent) === documentsOf(before)],
    ['created_at', sent.created_at === before.created_at],
    ['is_pinned', (sent.is_pinned ?? false) === (before.is_pinned ?? false)],
    ['unpin_at', (sent.unpin_at ?? null) === (before.unpin_at ?? null)],
    ['is_archived', (sent.is_archived ?? false) === (before.is_archived ?? false)],
  ] as const;
  return fields.filter(([, isSame]) => !isSame).map(([name]) => name);
}

function resultOf({ created_at, body, external_id }: StoredNote, status: NoteResult['status']): NoteResult {
  return { created_at, body, status, ...(external_id !== null && external_id !== undefined && { external_id }) };
}

function asStored(
  { body = null, document_paths, ...note }: Omit<Note, 'body'> & { body?: string | null | undefined },
  created_at: string,
): StoredNote {
  return { ...note, body, document_paths: pathsOf(document_paths), created_at };
}

const pathsOf = (documents: Note['document_paths']): string[] =>
  (documents ?? []).map(({ document_path }) => document_path);

function textOf({ body, document_paths }: { body?: string | null | undefined; document_paths: string[] }): string {
  return body === null || body === undefined ? documentsOf({ document_paths }) : JSON.stringify(body);
}

const documentsOf = ({ document_paths }: Pick<StoredNote, 'document_paths'>) =>
  JSON.stringify(document_paths.map(pathBelowRoot));
