import { z } from 'zod';
import { DryRun } from './dry-run.ts';
import { documented, field, optional } from './field.ts';
import {
  ExternalAccountNumber,
  ImportSupplierCode,
  ServiceAccountNumber,
  StoredExternalAccountNumber,
} from './identifiers.ts';
import { LIMITS } from './limits.ts';
import { prose } from './text.ts';

/** What both requests of an undo can say (behaviour 30.1). */
export const undoFields = {
  tell_again: optional(
    z.boolean(),
    'Whether the customers are welcomed again once the account is created again. Default: true.',
    true,
  ),
  dry_run: DryRun,
};

/** The request that undoes an account (behaviour 30.1). */
export const UndoAccountRequest = z
  .object({
    import_supplier_code: ImportSupplierCode,
    external_account_number: ExternalAccountNumber,
    reason: optional(prose(LIMITS.staff_reason), 'Why, for the audit trail.', 'Moved with the wrong tariff'),
    ...undoFields,
  })
  .apply(documented, 'UndoAccountRequest', 'Takes an account back, with everything imported into it.', 'dry_run');
export type UndoAccountRequest = z.infer<typeof UndoAccountRequest>;

const money = (description: string, example: string) => field(z.string(), description, example);
const count = (description: string, example: number) => field(z.number(), description, example);

/** What an undo has removed: counted, and added up (behaviour 30.1). */
export const RemovedFigures = z
  .object({
    customers: count('How many customers.', 1),
    meter_points: count('How many meter points.', 1),
    transfer_balance: money('The balance with which the account was moved; 0.00 without one.', '-48.20'),
    notes: count('How many notes, without those that the service wrote itself.', 1),
    transactions: count('How many transactions.', 24),
    transactions_sum: money('The sum of their amounts.', '104.88'),
    statements: count('How many statements.', 3),
    statements_gross: money('The sum of their gross amounts.', '112.07'),
    payment_instructions: count('How many payment instructions, active and superseded.', 1),
  })
  .apply(documented, 'RemovedFigures', 'What was removed.');
export type RemovedFigures = z.infer<typeof RemovedFigures>;

/** What an undo answers (behaviour 30.1). */
export const UndoAccountResponse = z
  .object({
    external_account_number: StoredExternalAccountNumber,
    service_account_number: ServiceAccountNumber,
    state: field(
      z.enum(['STAGED', 'UNDONE']),
      'STAGED: the payload is still there, and creates all of it again. UNDONE: it is gone too, because it lacks what was imported beside it; stage the account again.',
      'UNDONE',
    ),
    removed: RemovedFigures,
  })
  .apply(documented, 'UndoAccountResponse', 'The account is undone. No other account gets its number.');
export type UndoAccountResponse = z.infer<typeof UndoAccountResponse>;
