import { ImportNotesRequest } from '@causeway/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkNotes } from '../src/check-notes.ts';

const now = '2026-04-20T11:30:00Z';

test('2.4 unpin_at without created_at lies after now', () => {
  const notes = [
    { body: 'x', is_pinned: true, unpin_at: now },
    { body: 'x', is_pinned: true, unpin_at: '2026-04-20T11:30:01Z' },
    { body: 'x', is_pinned: true, unpin_at: '2020-01-01T00:00:00Z', created_at: '2019-01-01T00:00:00Z' },
    { body: 'x' },
    { body: 'x', is_pinned: true, unpin_at: '1999-01-01T00:00:00Z' },
  ];
  expect(checkNotes({ notes }, { now })).toMatchObject([
    { attr: 'notes.0.unpin_at', code: 'note_unpin_at_earlier_than_creation_date' },
    { attr: 'notes.4.unpin_at', code: 'note_unpin_at_earlier_than_creation_date' },
  ]);
});

test('2.4 unpin_at is blamed as often as errors are reported, and not at all in a list that is too long', () => {
  const notes = (count: number) => Array(count).fill({ unpin_at: now });
  expect(checkNotes({ notes: notes(1_000) }, { now })).toHaveLength(100);
  expect(checkNotes({ notes: notes(1_001) }, { now })).toEqual([]);
});

test('2.4 unpin_at that is no datetime is left to the schema, and so is whatever else is sent', () => {
  const notes = [{ unpin_at: '2020-01-01' }, { unpin_at: 5 }, { unpin_at: now, created_at: null }, null, 'x', [now]];
  expect(checkNotes({ notes }, { now })).toEqual([]);
  fc.assert(
    fc.property(fc.anything(), (request) => {
      expect(checkNotes(request, { now })).toEqual([]);
    }),
  );
});

test('2.4 unpin_at is blamed by this rule or by the schema, never by both', () => {
  const time = fc.constantFrom('2019-01-01T00:00:00Z', now, '2030-01-01T00:00:00Z', '2026-02-30T00:00:00Z');
  const note = fc.record(
    { body: fc.constant('x'), is_pinned: fc.boolean(), created_at: time, unpin_at: time },
    {
      requiredKeys: ['body', 'is_pinned'],
    },
  );
  fc.assert(
    fc.property(note, (one) => {
      const request = { import_supplier: 'NW', external_account_number: '1', notes: [one] };
      const { error } = ImportNotesRequest.safeParse(request);
      const bySchema = (error?.issues ?? []).filter(({ path }) => path.at(-1) === 'unpin_at');
      expect(bySchema.length + checkNotes(request, { now }).length).toBeLessThanOrEqual(1);
    }),
  );
});
