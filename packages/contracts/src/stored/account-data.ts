import { z } from 'zod';
import { field, optional } from '../field.ts';
import { CalendarDate, UtcDatetime } from '../formats.ts';
import { Note } from '../notes.ts';
import { wholeNumber } from '../numbers.ts';
import { ImportPaymentInstructionRequest } from '../payment-instructions.ts';
import { Statement } from '../statements.ts';
import { exampleCharge, examplePayment, SupplyChargeTransaction, Transaction } from '../transactions.ts';
import { type AsStored, asStored, storedSchema, storedShape } from './as-stored.ts';

const exampleNote = {
  position: 1,
  body: 'Customer asked for a paper bill; agreed to switch on 1 May.',
  created_at: '2025-11-20T10:15:00Z',
  is_pinned: true,
  unpin_at: '2026-05-01T00:00:00Z',
  is_archived: false,
};
const exampleDocument = {
  position: 2,
  document_paths: [{ document_path: 'letters/2025/NW-0001482.pdf' }],
  created_at: '2026-04-17T09:30:12Z',
  is_pinned: false,
  is_archived: false,
};
const exampleGenerated = {
  position: 3,
  body:
    '1 transaction was moved into the open statement period (2026-03-01 to 2026-04-17):\n' +
    'Transaction T-20260131-08: sent with 2026-01-31, added on 2026-03-01.',
  created_at: '2026-04-17T09:30:12Z',
  is_pinned: true,
  is_archived: false,
  is_generated: true as const,
};

export type StoredNote = AsStored<Note> & {
  position: number;
  created_at: string;
  is_pinned: boolean;
  is_archived: boolean;
  is_generated?: true;
};
/** A note as it is read back (behaviour 4.16). */
export const StoredNote = z
  .object({
    position: field(
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
      'Its place among the notes of the account: what `after` takes.',
      1,
    ),
    ...storedShape(Note),
    created_at: field(
      UtcDatetime,
      'When the note was written, in UTC: as sent, otherwise when it was added.',
      exampleNote.created_at,
    ),
    is_pinned: field(z.boolean(), 'Whether the note is pinned: as sent, otherwise false.', true),
    is_archived: field(z.boolean(), 'Whether the note is archived: as sent, otherwise false.', false),
    is_generated: optional(
      z.literal(true),
      'Only on a note that the service wrote itself, such as one on transactions that were moved into the open statement period.',
      true,
    ),
  })
  .meta({
    id: 'StoredNote',
    description:
      'A note as it is stored. If the personal data of its account was erased, it has neither body nor documents.',
    examples: [exampleNote, exampleDocument, exampleGenerated],
  }) as unknown as z.ZodType<StoredNote>;

const exampleTransaction = {
  transaction_id: 'T-20260131-08',
  transaction_date: '2026-03-01',
  type: 'CHARGE',
  amount: '12.30',
  reason: 'IMPORTED_CHARGE',
  original_transaction_date: '2026-01-31',
  description:
    'The original date 2026-01-31 lies outside the open statement period (2026-03-01 to 2026-04-17); the transaction was added on 2026-03-01.',
};
const exampleSent = [SupplyChargeTransaction.meta()?.examples?.[0], exampleCharge, examplePayment];

export type StoredTransaction = AsStored<Transaction> & {
  copy?: number;
  is_historical?: true;
  original_transaction_date?: string;
  description?: string;
};
/** A transaction as it is read back (behaviour 4.16). */
export const StoredTransaction = z
  .object({
    ...storedShape(Transaction),
    transaction_date: field(
      CalendarDate,
      'The day with which the transaction is stored; if that is not the day that was sent, `original_transaction_date` is.',
      '2026-04-05',
    ),
    copy: optional(
      wholeNumber(2, Number.MAX_SAFE_INTEGER),
      'The second and later transactions with this `transaction_id` are numbered, beginning with 2: `after_copy` takes it. Absent from the first.',
      2,
    ),
    is_historical: optional(
      z.literal(true),
      'Closed history, sent as one of `historical_transactions`; absent otherwise.',
      true,
    ),
    original_transaction_date: optional(
      CalendarDate,
      'The day that was sent, if it was outside the open statement period; absent if the transaction was not moved.',
      '2026-01-31',
    ),
    description: optional(
      z.string(),
      'The original date, and why it was changed; absent if the transaction was not moved.',
      exampleTransaction.description,
    ),
  })
  .meta({
    id: 'StoredTransaction',
    description: 'A transaction as it is stored. `type` says which fields it has.',
    examples: [exampleTransaction, ...exampleSent.map((sent) => asStored(Transaction, sent))],
  }) as unknown as z.ZodType<StoredTransaction>;

/** A historical statement as it is read back (behaviour 4.16). */
export const StatementAsStored = storedSchema(Statement);
export type StatementAsStored = z.infer<typeof StatementAsStored>;

const {
  import_supplier: _supplier,
  external_account_number: _number,
  ...sentInstruction
} = storedShape(ImportPaymentInstructionRequest);
const exampleInstruction = {
  vendor: 'STRIPE',
  reference: 'pm_1NqkLXJ2eZvKYlo2',
  type: 'CARD',
  details: { payment_method: 'pm_1NqkLXJ2eZvKYlo2', brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030 },
};

const exampleSuperseded = {
  vendor: 'STRIPE',
  reference: 'pm_1MvQpTJ2eZvKYlo2',
  type: 'CARD',
  details: { payment_method: 'pm_1MvQpTJ2eZvKYlo2', brand: 'visa', last4: '1881', exp_month: 1, exp_year: 2026 },
  superseded_at: '2026-04-17T09:30:12Z',
  superseded_by: exampleInstruction.reference,
};

export type StoredPaymentInstruction = Omit<
  AsStored<ImportPaymentInstructionRequest>,
  'import_supplier' | 'external_account_number'
> & { details: Record<string, unknown>; superseded_at?: string; superseded_by?: string };
/** A payment instruction as it is read back (behaviour 4.16). */
export const StoredPaymentInstruction = z
  .object({
    ...sentInstruction,
    details: field(
      z.record(z.string(), z.unknown()),
      'What the vendor told about it, such as `brand`, `bank_name`, `funding`, `last4`, `country`, `exp_month` and `exp_year`.',
      exampleInstruction.details,
    ),
    superseded_at: optional(
      UtcDatetime,
      'When another instruction superseded it, in UTC. Absent of one that is active.',
      exampleSuperseded.superseded_at,
    ),
    superseded_by: optional(z.string(), 'The `reference` of that instruction.', exampleSuperseded.superseded_by),
  })
  .meta({
    id: 'StoredPaymentInstruction',
    description:
      'A payment instruction of an account: active, unless it has `superseded_at`. If the personal data of the account was erased, it has no references and no details.',
    examples: [exampleInstruction],
  }) as unknown as z.ZodType<StoredPaymentInstruction>;

/** All payment instructions of an account, by type. */
export const ReadPaymentInstructionsResponse = z.array(StoredPaymentInstruction).meta({
  id: 'ReadPaymentInstructionsResponse',
  description:
    'The payment instructions, ordered by `type`: of each type the active one, then those that were superseded, the latest first. None if the account is only staged.',
  examples: [[{ ...exampleInstruction, supersedes: exampleSuperseded.reference }, exampleSuperseded]],
});
