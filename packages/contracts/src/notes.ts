import { z } from 'zod';
import { list, optionalList } from './bounded-list.ts';
import { differences, filled } from './differing-fields.ts';
import { DryRun } from './dry-run.ts';
import { documented, field, optional } from './field.ts';
import { DocumentPath, UtcDatetime } from './formats.ts';
import { ExternalAccountNumber, IDENTIFIER_RULE, ImportSupplierCode } from './identifiers.ts';
import { LIMITS, limitText } from './limits.ts';
import { type Rule, withRules } from './rules.ts';
import { identifier, prose } from './text.ts';

const documentPathRule = `Relative to the document root of the import supplier: 1 to ${limitText(LIMITS.document_path)} characters; one leading slash may precede it, does not count and means nothing. No empty, blank, \`.\` or \`..\` part (\`;parameters\` left out), no backslash, no control or invisible character, none of these percent-encoded, no scheme. The document must lie there; the service stores the path only.`;

export const NoteDocument = z
  .object({
    document_path: field(DocumentPath, `The path of the document. ${documentPathRule}`, 'letters/2025/NW-0001482.pdf'),
  })
  .apply(documented, 'NoteDocument', 'A document attached to a note.');
export type NoteDocument = z.infer<typeof NoteDocument>;

interface NoteFields {
  body?: string | undefined;
  document_paths?: NoteDocument[] | undefined;
  created_at?: string | undefined;
  is_pinned?: boolean | undefined;
  unpin_at?: string | undefined;
}

const hasBodyOrDocument: Rule<NoteFields> = {
  reads: ['body', 'document_paths'],
  check: ({ body, document_paths = [] }) =>
    body === undefined && document_paths.length === 0
      ? {
          code: 'note_body_or_document_path_not_found',
          path: ['body'],
          detail: 'Give a body or at least one document path.',
        }
      : undefined,
};

const unpinNeedsPinned: Rule<NoteFields> = {
  reads: ['is_pinned', 'unpin_at'],
  check: ({ is_pinned, unpin_at }) =>
    unpin_at !== undefined && is_pinned === undefined
      ? { code: 'required', path: ['is_pinned'], detail: 'This field is required where unpin_at is given.' }
      : undefined,
};

const unpinnedAfterCreation: Rule<NoteFields> = {
  reads: ['created_at', 'is_pinned', 'unpin_at'],
  check: ({ created_at, is_pinned, unpin_at }) =>
    is_pinned !== false && unpin_at !== undefined && created_at !== undefined && unpin_at <= created_at
      ? {
          code: 'note_unpin_at_earlier_than_creation_date',
          path: ['unpin_at'],
          detail: 'Must be later than created_at.',
        }
      : undefined,
};

const exampleNote = {
  body: 'Customer asked for a paper bill; agreed to switch on 1 May.',
  created_at: '2025-11-20T10:15:00Z',
  is_pinned: true,
  unpin_at: '2026-05-01T00:00:00Z',
};

/** A note on an account (behaviour 2.4). */
export const Note = withRules(
  z.object({
    body: optional(
      prose(LIMITS.note_body),
      `The text, 1 to ${limitText(LIMITS.note_body)} characters; tabs and line breaks are allowed, other control characters are not. A note has a body, a document or both.`,
      exampleNote.body,
    ),
    document_paths: optionalList(NoteDocument, LIMITS.nested, 'Attached documents'),
    created_at: optional(UtcDatetime, 'When the note was written, in UTC. Default: now.', '2025-11-20T10:15:00Z'),
    is_pinned: optional(
      z.boolean(),
      "Whether the note is pinned to the top of the account's support page. Default: false.",
      true,
    ),
    unpin_at: optional(
      UtcDatetime,
      'When a pinned note is unpinned, in UTC. Requires `is_pinned`, and has no effect if that is false. If the note is pinned and has a `created_at`, it is later than that.',
      '2026-05-01T00:00:00Z',
    ),
    external_id: optional(
      identifier(LIMITS.name),
      `Your own identifier of the note, 1 to ${limitText(LIMITS.name)} characters. If it is sent, it alone says whether the account has the note already. ${IDENTIFIER_RULE}`,
      'NOTE-77120',
    ),
    is_archived: optional(
      z.boolean(),
      'Whether the note is archived: kept, and no longer among those in use. Default: false.',
      false,
    ),
  }),
  hasBodyOrDocument,
  unpinNeedsPinned,
  unpinnedAfterCreation,
).meta({ id: 'Note', description: "A note on the account's support page.", examples: [exampleNote] });
export type Note = z.infer<typeof Note>;

/** The request of the notes import (behaviour 4.4). */
export const ImportNotesRequest = z
  .object({
    import_supplier: ImportSupplierCode,
    external_account_number: ExternalAccountNumber,
    notes: field(
      list(Note, LIMITS.notes, 1),
      `The notes, 1 to ${limitText(LIMITS.notes)}. A note that the account already has (the same \`external_id\`; without one the same body, and the same \`created_at\` if present; without a body, the same documents) is not added again.`,
    ),
    dry_run: DryRun,
  })
  .meta({
    id: 'ImportNotesRequest',
    description: 'Adds notes to an imported account: all of them or, if one violates a rule, none.',
    examples: [
      {
        import_supplier: 'NORTHWIND-2026',
        external_account_number: 'NW-0001482',
        notes: [exampleNote, { document_paths: [{ document_path: 'letters/2025/NW-0001482.pdf' }] }],
      },
    ],
  });
export type ImportNotesRequest = z.infer<typeof ImportNotesRequest>;

export const NoteStatus = z.enum(['NOTE_CREATION_SUCCESS', 'NOTE_ALREADY_EXISTS']);

export const NoteResult = z
  .object({
    created_at: field(UtcDatetime, 'When the note was written, in UTC.', '2025-11-20T10:15:00Z'),
    body: field(z.string().nullable(), 'The text; null if the note has only documents.', exampleNote.body),
    status: field(
      NoteStatus,
      'NOTE_CREATION_SUCCESS: added now. NOTE_ALREADY_EXISTS: the account already has it, nothing was added.',
      'NOTE_CREATION_SUCCESS',
    ),
    external_id: optional(z.string(), 'Your own identifier of the note, if it has one.', 'NOTE-77120'),
    differences: optional(
      differences,
      'Only on a note that the account already has: the fields whose values are not those that were sent now. They were not changed. Absent where there are none.',
      ['document_paths'],
    ),
    filled: optional(
      filled,
      'Only on a note that the account already has: the fields that were missing there and are now stored. Absent if there are none.',
      ['document_paths'],
    ),
  })
  .apply(documented, 'NoteResult', 'The result of one note.', 'external_id', 'differences', 'filled');
export type NoteResult = z.infer<typeof NoteResult>;

export const ImportNotesResponse = z.array(NoteResult).meta({
  id: 'ImportNotesResponse',
  description: 'The result of each note, in the order of the request.',
  examples: [
    [
      { created_at: '2025-11-20T10:15:00Z', body: exampleNote.body, status: 'NOTE_CREATION_SUCCESS' },
      { created_at: '2026-04-17T09:30:12Z', body: null, status: 'NOTE_CREATION_SUCCESS' },
    ],
  ],
});
export type ImportNotesResponse = z.infer<typeof ImportNotesResponse>;
