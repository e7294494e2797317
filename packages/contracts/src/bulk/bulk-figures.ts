import { z } from 'zod';
import { field } from '../field.ts';
import { UtcDatetime } from '../formats.ts';
import { MoneyString } from '../numbers.ts';
import { TransactionType } from '../transactions.ts';

const count = (description: string, example = 0) => field(z.number(), description, example);
const amount = (example: string) => field(MoneyString, 'Their sum.', example);
const exampleCounts = {
  created: 616402,
  updated: 0,
  unchanged: 38,
  refused: 1187,
  failed: 0,
  not_processed: 0,
  waiting: 586704,
};

/** What happened to the lines of a bulk job: they add up to its `lines` (behaviour 21.5). */
export const BulkCounts = z
  .object({
    created: count('Staged for the first time (STAGE); created, or added history (MOVE); created (PROCESS).', 616402),
    updated: count('Replaced what was staged before.'),
    unchanged: count('Were there already, exactly as sent.', 38),
    refused: count('Were refused: the line is at fault.', 1187),
    failed: count('Failed five times because of an error of the service.'),
    not_processed: count('Were not worked on before the job was cancelled.'),
    waiting: count('Are still to be worked on.', 586704),
  })
  .meta({ id: 'BulkCounts', description: 'How many lines have which outcome so far.', examples: [exampleCounts] });
export type BulkCounts = z.infer<typeof BulkCounts>;

const exampleSums = {
  transfer_balance_credit: '4811294.17',
  transfer_balance_debit: '-2090177.40',
  transactions: { CHARGE: { count: 5100233, amount: '48112940.17' } },
  statements: { count: 5547618, gross: '47211009.02' },
  notes: 1232804,
  customers: 641377,
  supply_points: 1110452,
  account_types: { DOMESTIC: 616402 },
};

/** What the created lines of a bulk job add up to, to the penny (behaviour 21.5). */
export const BulkSums = z
  .object({
    transfer_balance_credit: field(MoneyString, 'The sum of the positive transfer balances.', '4811294.17'),
    transfer_balance_debit: field(MoneyString, 'The sum of the negative transfer balances.', '-2090177.40'),
    transactions: field(
      z.partialRecord(TransactionType, z.object({ count: count('How many.', 5100233), amount: amount('48112940.17') })),
      'The transactions that were added, by their type.',
      exampleSums.transactions,
    ),
    statements: field(
      z.object({ count: count('How many.', 5547618), gross: amount('47211009.02') }),
      'The historical statements that were added, and the sum of their gross amounts. One without a gross amount is counted and adds nothing.',
      exampleSums.statements,
    ),
    notes: count('The notes that were added.', exampleSums.notes),
    customers: count('The customers of the created accounts.', exampleSums.customers),
    supply_points: count('The meter points of the created accounts.', exampleSums.supply_points),
    account_types: field(
      z.record(z.string(), z.number()),
      'The created accounts by their type.',
      exampleSums.account_types,
    ),
  })
  .meta({ id: 'BulkSums', description: 'What the created lines add up to.', examples: [exampleSums] });
export type BulkSums = z.infer<typeof BulkSums>;

const exampleEstimate = {
  finishes_at: '2026-11-21T23:41:00Z',
  from: '2026-11-21T23:36:00Z',
  to: '2026-11-21T23:49:00Z',
};

/** When a bulk job is expected to finish (behaviour 21.5). */
export const BulkEstimate = z
  .object({
    finishes_at: field(UtcDatetime, 'When the job finishes at its present rate, in UTC.', exampleEstimate.finishes_at),
    from: field(UtcDatetime, 'The same at the better rates of the last 30 minutes.', exampleEstimate.from),
    to: field(UtcDatetime, 'The same at the poorer rates of the last 30 minutes.', exampleEstimate.to),
  })
  .meta({ id: 'BulkEstimate', description: 'When the job is expected to finish.', examples: [exampleEstimate] });
export type BulkEstimate = z.infer<typeof BulkEstimate>;
