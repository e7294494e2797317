import type { Note } from '@causeway/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideNotes, type StoredNote } from '../../src/notes/decide-notes.ts';

const NOW = '2026-04-20T11:30:00Z';

// Few values, so that notes are often the same.
const paths = fc.array(fc.constantFrom({ document_path: 'a' }, { document_path: 'b' }), { minLength: 1, maxLength: 2 });
const times = { created_at: fc.constantFrom(NOW, '2025-01-01T00:00:00Z', '2024-01-01T00:00:00Z') };
const note: fc.Arbitrary<Note> = fc.oneof(
  fc.record({ body: fc.constantFrom('x', 'y', '["a"]'), document_paths: paths, ...times }, { requiredKeys: ['body'] }),
  fc.record({ document_paths: paths, ...times }, { requiredKeys: ['document_paths'] }),
);
const notes = fc.array(note, { maxLength: 8 });

/** What the account has once the added notes are written, as it is read again. */
function storedAfter(stored: StoredNote[], request: Note[]): StoredNote[] {
  const { added } = decideNotes(request, stored, NOW);
  const rows = added.map(({ body = null, document_paths = [], created_at }) => {
    return { body, document_paths: document_paths.map(({ document_path }) => document_path), created_at };
  });
  return [...stored, ...rows];
}

/** The rule of behaviour 2.4, as plainly as it can be written. */
function isSame(one: Note, stored: StoredNote): boolean {
  const sameText =
    one.body === undefined
      ? stored.body === null &&
        JSON.stringify(one.document_paths?.map(({ document_path }) => document_path)) ===
          JSON.stringify(stored.document_paths)
      : stored.body === one.body;
  return sameText && (one.created_at === undefined || one.created_at === stored.created_at);
}

test('2.4 a note is created only if the account has none with its body and, if provided, its created_at', () => {
  fc.assert(
    fc.property(notes, note, (before, one) => {
      const stored = storedAfter([], before);
      const { results, added } = decideNotes([one], stored, NOW);
      const exists = stored.some((other) => isSame(one, other));
      expect(results.map(({ status }) => status)).toEqual([exists ? 'NOTE_ALREADY_EXISTS' : 'NOTE_CREATION_SUCCESS']);
      expect(added).toHaveLength(exists ? 0 : 1);
    }),
  );
});

test('2.4 notes sent in one request come to the same as sent one by one', () => {
  fc.assert(
    fc.property(notes, notes, (before, request) => {
      const stored = storedAfter([], before);
      const oneByOne = request.reduce((known, one) => storedAfter(known, [one]), stored);
      expect(storedAfter(stored, request)).toEqual(oneByOne);
    }),
  );
});

test('4.4 the same request again adds nothing, and each result is in the place of its note', () => {
  fc.assert(
    fc.property(notes, (request) => {
      const first = decideNotes(request, [], NOW);
      const again = decideNotes(request, storedAfter([], request), NOW);
      expect(again.added).toEqual([]);
      expect(first.results.map(({ body }) => body)).toEqual(request.map(({ body = null }) => body));
      expect(again.results.map(({ body }) => body)).toEqual(request.map(({ body = null }) => body));
    }),
  );
});
