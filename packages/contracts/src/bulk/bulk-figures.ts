import { z } from 'zod';
import { documented, field } from '../field.ts';
import { UtcDatetime } from '../formats.ts';
import { MoneyString } from '../numbers.ts';
import { TransactionType } from '../transactions.ts';

const count = (description: string, example = 0) => field(z.number(), description, example);
const amount = (example: string) => field(MoneyString, 'Their sum.', example);
/** What happened to the lines of a bulk job: they add up to its `lines` (behaviour 21.5). */
export const BulkCounts = z
  .object({
    created: count('Staged for the first time (STAGE); created, or added history (MOVE); created (PROCESS).', 616402),
    updated: count('Replaced what was staged before.'),
    unchanged: count('Were there already, exactly as sent.', 38),
    undone: count('Were taken back (UNDO).'),
    refused: count('Were refused: the line is at fault. Of an UNDO job: were kept.', 1187),
    failed: count('Failed five times because of an error of the service.'),
    not_processed: count('Were not worked on before the job was cancelled.'),
    waiting: count('Are still to be worked on.', 586704),
  })
  .apply(documented, 'BulkCounts', 'How many lines have which outcome so far.');
export type BulkCounts = z.infer<typeof BulkCounts>;

/** What the created lines of a bulk job, or those that were undone, add up to, to the penny (behaviour 21.5). */
export const BulkSums = z
  .object({
    transfer_balance_credit: field(MoneyString, 'The sum of the positive transfer balances.', '4811294.17'),
    transfer_balance_debit: field(MoneyString, 'The sum of the negative transfer balances.', '-2090177.40'),
    transactions: field(
      z.partialRecord(TransactionType, z.object({ count: count('How many.', 5100233), amount: amount('48112940.17') })),
      'The transactions that were added, by their type.',
      { CHARGE: { count: 5100233, amount: '48112940.17' } },
    ),
    statements: field(
      z.object({ count: count('How many.', 5547618), gross: amount('47211009.02') }),
      'The historical statements that were added, and the sum of their gross amounts. One without a gross amount is counted and adds nothing.',
    ),
    notes: count('The notes that were added.', 1232804),
    customers: count('The customers of the created accounts.', 641377),
    supply_points: count('The meter points of the created accounts.', 1110452),
    omitted_transactions: count(
      'The transactions of zero that were left out, as the import supplier is configured; absent if none were.',
      12,
    ).optional(),
    account_types: field(z.record(z.string(), z.number()), 'The created accounts by their type.', { DOMESTIC: 616402 }),
  })
  .apply(
    documented,
    'BulkSums',
    'What the created lines add up to; of an UNDO job, what was removed.',
    'omitted_transactions',
  );
export type BulkSums = z.infer<typeof BulkSums>;

/** When a bulk job is expected to finish (behaviour 21.5). */
export const BulkEstimate = z
  .object({
    finishes_at: field(UtcDatetime, 'When the job finishes at its present rate, in UTC.', '2026-11-21T23:41:00Z'),
    from: field(UtcDatetime, 'The same at the better rates of the last 30 minutes.', '2026-11-21T23:36:00Z'),
    to: field(UtcDatetime, 'The same at the poorer rates of the last 30 minutes.', '2026-11-21T23:49:00Z'),
  })
  .apply(documented, 'BulkEstimate', 'When the job is expected to finish.');
export type BulkEstimate = z.infer<typeof BulkEstimate>;
