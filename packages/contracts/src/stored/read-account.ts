import { z } from 'zod';
import { AccountPayload } from '../account/account-payload.ts';
import { exampleAccount } from '../account/example-account.ts';
import { AccountStatusRequest } from '../account-imports.ts';
import { documented, field, optional } from '../field.ts';
import { UtcDatetime } from '../formats.ts';
import { ImportSupplierCode, ServiceAccountNumberOrNull, StoredExternalAccountNumber } from '../identifiers.ts';
import { keptFields } from '../kept-fields.ts';
import { MoneyString } from '../numbers.ts';
import { OpenRefusal } from '../refusals.ts';
import { AccountImportState } from '../staff/account-imports.ts';
import { upperSnake } from '../text.ts';
import { TransactionType } from '../transactions.ts';
import { asStored, storedSchema } from './as-stored.ts';

const exampleOne = { import_supplier_code: 'NORTHWIND-2026', external_account_number: 'NW-0001482' };

/** The request that reads an account, or its payment instruction, as it is stored (behaviour 4.16). */
export const ReadAccountRequest = z
  .object(AccountStatusRequest.shape)
  .apply(documented, 'ReadAccountRequest', 'Asks for what is stored of one account.');
export type ReadAccountRequest = z.infer<typeof ReadAccountRequest>;

/** The request for the payment instruction of an account (behaviour 4.16.4). */
export const ReadPaymentInstructionRequest = z
  .object({
    ...AccountStatusRequest.shape,
    type: optional(
      upperSnake(),
      'Which one, if the account has payment instructions of several types. Without it: the only one.',
      'CARD',
    ),
  })
  .apply(documented, 'ReadPaymentInstructionRequest', 'Asks for the payment instruction of one account.', 'type');
export type ReadPaymentInstructionRequest = z.infer<typeof ReadPaymentInstructionRequest>;

/** The data of an account as it is read back; the same whether it is staged or created (behaviour 4.16.2). */
export const AccountPayloadAsStored = storedSchema(AccountPayload);
export type AccountPayloadAsStored = z.infer<typeof AccountPayloadAsStored>;

const count = (description: string, example: number) =>
  field(z.number().meta({ type: 'integer' }), description, example);
const sum = (description: string, example: string) => field(MoneyString, description, example);

/** How many of a kind there are, and the money in them. */
export const CountAndSum = z
  .object({
    count: count('How many there are.', 2),
    sum: sum('Their amounts added up, with two decimals.', '92.67'),
  })
  .apply(documented, 'CountAndSum', 'How many there are, and the money in them.');
export type CountAndSum = z.infer<typeof CountAndSum>;

const exampleFigures = {
  transactions: {
    count: 4,
    sum: '219.21',
    by_type: {
      CHARGE: { count: 2, sum: '88.84' },
      CREDIT: { count: 0, sum: '0.00' },
      PAYMENT: { count: 1, sum: '50.00' },
      REPAYMENT: { count: 0, sum: '0.00' },
      SUPPLY_CHARGE: { count: 1, sum: '80.37' },
    },
  },
  notes: 3,
  statements: { count: 1, gross_total: '112.07' },
  payment_instructions: 1,
};

/** What is stored of an account, counted and added up by the database (behaviour 4.16.5). */
export const AccountFigures = z
  .object({
    transactions: field(
      z.object({
        count: count('How many transactions there are.', 4),
        sum: sum('Their amounts added up as they were sent, whatever their type, with two decimals.', '219.21'),
        by_type: field(
          z.object(
            Object.fromEntries(TransactionType.options.map((type) => [type, CountAndSum])) as Record<
              TransactionType,
              typeof CountAndSum
            >,
          ),
          'The same for each type.',
          exampleFigures.transactions.by_type,
        ),
      }),
      'The transactions.',
    ),
    notes: count('How many notes there are.', 3),
    statements: field(
      z.object({
        count: count('How many statements there are.', 1),
        gross_total: sum('Their `gross_amount` added up, with two decimals.', '112.07'),
        without_gross_amount: count(
          'How many of them have no `gross_amount` and are not in `gross_total`; absent if all have one.',
          1,
        ).optional(),
      }),
      'The historical statements.',
      exampleFigures.statements,
    ),
    payment_instructions: count('How many active payment instructions there are: one at most of each type.', 1),
    superseded_payment_instructions: count(
      'How many payment instructions others have superseded; absent if there are none.',
      1,
    ).optional(),
  })
  .apply(documented, 'AccountFigures', 'What is stored of an account, counted and added up. What is not stored is 0.');
export type AccountFigures = z.infer<typeof AccountFigures>;

const exampleStored = {
  import_supplier: exampleOne.import_supplier_code,
  external_account_number: exampleOne.external_account_number,
  state: 'COMPLETED' as const,
  service_account_number: 'A-7K3M9QXT',
  operations_team_name: 'Migration support',
  transfer_balance: '-48.20',
  staged_at: '2026-04-17T09:30:12Z',
  account_created_at: '2026-04-17T09:30:12Z',
  erased_at: null,
  complete: true,
  refusals: [],
  figures: exampleFigures,
  account: asStored(AccountPayload, exampleAccount) as AccountPayloadAsStored,
  undocumented_fields: [],
};

/** What is stored of an account (behaviour 4.16.1). */
export const StoredAccount = z
  .object({
    import_supplier: ImportSupplierCode,
    external_account_number: StoredExternalAccountNumber,
    state: field(
      AccountImportState,
      'STAGED: not attempted since it was staged. FAILED: the last attempt to create it failed. SKIPPED: the service team marked it to be skipped. COMPLETED: the account exists.',
      'COMPLETED',
    ),
    service_account_number: ServiceAccountNumberOrNull,
    operations_team_name: field(
      z.string().nullable(),
      'The operations team to which the account is linked; null until the account is created.',
      'Migration support',
    ),
    transfer_balance: field(
      MoneyString.nullable(),
      'The balance handed over, with two decimals; null if none was sent.',
      '-48.20',
    ),
    staged_at: field(UtcDatetime, 'When it was first staged, in UTC.', '2026-04-16T16:02:41Z'),
    account_created_at: field(
      UtcDatetime.nullable(),
      'When the account was created, in UTC; null until then.',
      '2026-04-17T09:30:12Z',
    ),
    erased_at: field(
      UtcDatetime.nullable(),
      'When the personal data of the account was erased, in UTC; null if it was not.',
      '2026-06-01T08:00:00Z',
    ),
    complete: field(
      z.boolean(),
      'Whether the account exists and nothing of it is refused: COMPLETED without an open refusal.',
      true,
    ),
    refusals: field(
      z.array(OpenRefusal),
      'Refusals that nothing has corrected since, and problems reported of requests that succeeded: oldest first.',
      [],
    ),
    figures: AccountFigures,
    account: field(
      AccountPayloadAsStored.nullable(),
      'The data of the account: of a created account what its creation stored, otherwise what was staged last. Null if it was erased before the account was created.',
    ),
    undocumented_fields: keptFields,
  })
  .meta({ id: 'StoredAccount', description: 'What is stored of one account.', examples: [exampleStored] });
export type StoredAccount = z.infer<typeof StoredAccount>;
