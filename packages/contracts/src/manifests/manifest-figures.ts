import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { ExternalAccountNumber, ImportSupplierCode } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { decimal, Money, moneyText, wholeNumber } from '../numbers.ts';
import { type Violation, withRules } from '../rules.ts';
import { TransactionType } from '../transactions.ts';

const sumOf = (integerDigits: number) =>
  decimal({ integerDigits, decimalPlaces: LIMITS.money_decimal_places, example: '12.30' });

/** What counts and sums may be: of one account, or of all. */
const OF_ACCOUNT = { count: wholeNumber(0, LIMITS.manifest_count), sum: sumOf(LIMITS.sum_integer_digits) };
const OF_ALL = { count: wholeNumber(0, LIMITS.manifest_total_count), sum: sumOf(LIMITS.total_integer_digits) };

const BY_TYPE = { CHARGE: { count: 1, amount: '76.54' }, PAYMENT: { count: 1, amount: '28.34' } };
const exampleLine = {
  ...{ external_account_number: 'NW-0001482', transfer_balance: '-48.20', notes: 1, transactions: 2 },
  ...{ transactions_sum: '104.88', by_type: BY_TYPE, statements: 1, statements_gross: '112.07' },
  ...{ payment_instruction: false, fingerprint: '1241077391040012345' },
};
const AS_SENT = 'as they are sent, without a sign of their type: a charge of 76.54 and a payment of 28.34 are 104.88';

const NO_SUCH_TYPE = `There is no such type: it must be one of ${TransactionType.options.join(', ')}.`;

/** The figures that a line and the totals have in common. */
function figuresOf({ count, sum }: typeof OF_ACCOUNT | typeof OF_ALL) {
  return {
    notes: optional(count, 'How many notes; those that the service writes itself are not among them.', 1),
    transactions: optional(count, 'How many transactions, `historical_transactions` included.', 2),
    transactions_sum: optional(sum, `The sum of their amounts ${AS_SENT}.`, '104.88'),
    by_type: optional(
      z.partialRecord(TransactionType, z.strictObject({ count, amount: sum }), {
        error: ({ code }: { code?: string }) => (code === 'unrecognized_keys' ? NO_SUCH_TYPE : undefined),
      }),
      'The same by type. A type that is left out has none.',
      BY_TYPE,
    ),
    statements: optional(count, 'How many statements.', 1),
    statements_gross: optional(
      sum,
      'The sum of their gross amounts in pounds, euros or the like, also if `statement_amount_unit` is MINOR. A statement without one adds nothing.',
      '112.07',
    ),
  };
}

type Claimed = Pick<
  z.output<z.ZodObject<ReturnType<typeof figuresOf>>>,
  'transactions' | 'transactions_sum' | 'by_type'
>;

/** Types add up to what is claimed of all transactions. */
const typesAddUp = {
  reads: ['transactions', 'transactions_sum', 'by_type.*.count', 'by_type.*.amount'] as const,
  check({ transactions, transactions_sum, by_type }: Claimed): Violation[] {
    if (by_type === undefined) return [];
    const types = Object.values(by_type);
    const count = types.reduce((sum, type) => sum + type.count, 0);
    const amount = types.reduce((sum, type) => sum + penniesOf(type.amount), 0n);
    const violations: Violation[] = [];
    if (transactions !== undefined && transactions !== count) {
      violations.push(contradiction('transactions', transactions, count));
    }
    if (transactions_sum !== undefined && penniesOf(transactions_sum) !== amount) {
      violations.push(contradiction('transactions_sum', moneyText(transactions_sum), pounds(amount)));
    }
    return violations;
  },
};

function contradiction(figure: string, claimed: string | number, added: string | number): Violation {
  const detail = `It is ${claimed}, and the figures of by_type add up to ${added}.`;
  return { code: 'control_differs', path: [figure], detail };
}

const penniesOf = (amount: string | number) => BigInt(moneyText(amount).replace('.', ''));
const pounds = (pennies: bigint) => {
  const digits = (pennies < 0n ? -pennies : pennies).toString().padStart(3, '0');
  return `${pennies < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

const FINGERPRINT = /^(?:0|[1-9][0-9]{0,29})$/;
const Fingerprint = z
  .string()
  .refine((value) => FINGERPRINT.test(value), {
    error: 'Must be a whole number as a string of at most 30 digits, such as "1241077391040012345".',
    params: { code: 'invalid' },
  })
  .meta({ pattern: FINGERPRINT.source });

/** One line of a manifest: an account and what the source has of it (behaviour 22.2). */
export const ManifestLine = withRules(
  z.strictObject({
    external_account_number: ExternalAccountNumber,
    import_supplier: ImportSupplierCode.optional(),
    transfer_balance: optional(Money, 'The balance of the account. One without a balance has 0.00.', '-48.20'),
    ...figuresOf(OF_ACCOUNT),
    payment_instruction: optional(z.boolean(), 'Whether it has a payment instruction.', false),
    fingerprint: optional(
      Fingerprint,
      'The sum, over its transactions, of the first 60 bits of SHA-256 of `transaction_id|transaction_date|type|amount`, ' +
        'the date as it is sent, the amount with two decimals. It shows a transaction that was swapped or altered although the sums agree.',
      '1241077391040012345',
    ),
  }),
  typesAddUp,
).meta({
  id: 'ManifestLine',
  description:
    'One line of a manifest: an account, and the figures that the source claims of it. An account that was moved before is named too, by its number alone if nothing is to be compared of it. What is left out is not claimed, and not compared. A figure with another name is refused.',
  examples: [exampleLine, { external_account_number: 'NW-0001483', transfer_balance: '0.00', transactions: 0 }],
});
export type ManifestLine = z.infer<typeof ManifestLine>;

/** What the source has altogether (behaviour 22.1). */
export const ManifestTotals = withRules(
  z.strictObject({
    accounts: field(
      wholeNumber(1, LIMITS.bulk_lines),
      `How many accounts the manifest has, 1 to ${limitText(LIMITS.bulk_lines)}.`,
      1,
    ),
    transfer_balance: optional(OF_ALL.sum, 'The sum of the balances, those in debit negative.', '-48.20'),
    ...figuresOf(OF_ALL),
    payment_instructions: optional(
      OF_ALL.count,
      'How many accounts have a payment instruction. One with instructions of several types counts once.',
      0,
    ),
  }),
  typesAddUp,
).apply(
  documented,
  'ManifestTotals',
  'What the source has altogether. The lines must add up to it: each figure that is claimed here, every line has to claim.',
);
export type ManifestTotals = z.infer<typeof ManifestTotals>;
