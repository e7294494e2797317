import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { TransactionType } from '../transactions.ts';

const example = {
  external_account_number: 'NW-0001482',
  transfer_balance: '-48.20',
  transactions: 2,
  transactions_sum: '104.88',
  by_type: { CHARGE: { count: 1, amount: '76.54' }, PAYMENT: { count: 1, amount: '28.34' } },
};
const count = (description: string, example: number) => optional(z.number(), description, example);
const money = (description: string, example: string) => optional(z.string(), description, example);

/** A line of a manifest as it is stored (behaviour 22.4): the figures that it claims, each in one spelling. */
export const LodgedLine = z
  .object({
    external_account_number: field(z.string(), "The migrating party's own account number.", 'NW-0001482'),
    transfer_balance: money('The balance of the account.', '-48.20'),
    notes: count('How many notes.', 1),
    transactions: count('How many transactions.', 2),
    transactions_sum: money('The sum of their amounts.', '104.88'),
    by_type: optional(
      z.partialRecord(TransactionType, z.object({ count: z.number(), amount: z.string() })),
      'The same by type; a type without a transaction is left out.',
      example.by_type,
    ),
    statements: count('How many statements.', 1),
    statements_gross: money('The sum of their gross amounts in pounds, euros or the like.', '112.07'),
    payment_instruction: optional(z.boolean(), 'Whether it has a payment instruction.', false),
    fingerprint: optional(z.string(), 'The fingerprint of its transactions.', '1241077391040012345'),
  })
  .meta({
    id: 'LodgedLine',
    description: 'A line of a manifest as it is stored. A figure that is left out is not claimed.',
    examples: [example],
  });
export type LodgedLine = z.infer<typeof LodgedLine>;

export const ManifestLinesResponse = z
  .array(LodgedLine)
  .apply(documented, 'ManifestLinesResponse', 'The lines of the manifest.');
