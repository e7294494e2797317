import { z } from 'zod';
import { list, optionalList } from './bounded-list.ts';
import { field, optional } from './field.ts';
import { CalendarDate } from './formats.ts';
import { NEW_IDENTIFIER_RULE } from './identifiers.ts';
import { LIMITS, limitText } from './limits.ts';
import { Money, moneyText } from './numbers.ts';
import { identifierOfStored, prose, text, upperSnake } from './text.ts';
import { exampleLineItem, exampleTaxItem, LineItem, TaxItem } from './transaction-items.ts';

/** The kinds of transaction (behaviour 2.5). */
export const TransactionType = z.enum(['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE']);
export type TransactionType = z.infer<typeof TransactionType>;

const AMOUNT =
  'The amount in the currency of the account, a number or a decimal string: at most two decimals, below 10^11';
const signedAmount = field(Money, `${AMOUNT}; negative for a correction.`, 76.54);
const amountPaid = field(Money, `${AMOUNT}; negative for a correction, such as a payment that bounced.`, 50);
const amountPaidBack = field(
  Money.refine((amount) => !moneyText(amount).startsWith('-'), {
    error: 'Must not be negative: money paid back is a positive REPAYMENT. See “How to write a refund” in the guide.',
    params: { code: 'min_value' },
  }),
  `${AMOUNT}; not negative.`,
  20,
);

const common = {
  transaction_id: field(
    identifierOfStored(LIMITS.transaction_id),
    `Your own identifier of the transaction, 1 to ${limitText(LIMITS.transaction_id)} characters. ${NEW_IDENTIFIER_RULE} With \`check_previously_added\`, one that the account already has is skipped.`,
    'T-20260405-77',
  ),
  transaction_date: field(
    CalendarDate,
    'The day of the transaction. For a day outside the open statement period, `force_add_to_current_statement` decides.',
    '2026-04-05',
  ),
  note: optional(prose(LIMITS.transaction_note), 'An internal note, not shown to the customer.', 'Imported from CRM'),
  display_note: optional(prose(LIMITS.transaction_note), 'A note that the customer sees.', 'Adjustment for March'),
  reference: optional(
    text(LIMITS.name),
    'A reference of the transaction, such as that of a payment on the bank statement.',
    'NW 0001482',
  ),
  payment_type: optional(
    upperSnake(),
    'How it was paid: any UPPER_SNAKE name, such as DEBIT_CARD, DD_REGULAR_COLLECTION or DIRECT_CREDIT.',
    'DD_REGULAR_COLLECTION',
  ),
  supply_point_identifier: optional(
    text(LIMITS.name),
    'The identifier of the supply point that the transaction is about.',
    '1900012345678',
  ),
  tax_items: optionalList(TaxItem, LIMITS.nested, 'The taxes in the transaction'),
  reverses: optional(
    identifierOfStored(LIMITS.transaction_id),
    'The `transaction_id` of the transaction that this one takes back, such as a payment that bounced. It need not be sent, or may be sent later.',
    'T-20260401-76',
  ),
  to_prepay_meter_serial_number: optional(
    text(LIMITS.short_text),
    'The serial number of the prepayment meter to which the money went.',
    '21L3948871',
  ),
};
const productCode = field(text(LIMITS.name), 'The code of the product that was supplied.', 'E-1R-FIX-24M-A');
const reason = field(
  upperSnake(),
  'The reason: any UPPER_SNAKE name, such as IMPORTED_CHARGE, IMPORTED_CREDIT or GENERAL_CREDIT.',
  'IMPORTED_CHARGE',
);
/** What a transaction that is not for supply has. */
const unsupplied = { ...common, product_code: productCode.optional() };
const reasonOfPayment = optional(
  upperSnake(),
  'The reason: any UPPER_SNAKE name, such as ACCOUNT_CHARGE_PAYMENT or FULL_CREDIT_REFUND.',
  'ACCOUNT_CHARGE_PAYMENT',
);

const type = <Type extends TransactionType>(name: Type) => field(z.literal(name), `Always ${name}.`, name);
const identified = { transaction_id: 'T-20260405-77', transaction_date: '2026-04-05' };
export const exampleCharge = {
  ...identified,
  type: 'CHARGE' as const,
  amount: 76.54,
  reason: 'IMPORTED_CHARGE',
  display_note: 'Adjustment for March',
};
export const examplePayment = {
  transaction_id: 'T-20260407-12',
  transaction_date: '2026-04-07',
  type: 'PAYMENT' as const,
  amount: 50,
  reference: 'NW 0001482',
  payment_type: 'DD_REGULAR_COLLECTION',
};

export const ChargeTransaction = z.object({ ...unsupplied, type: type('CHARGE'), amount: signedAmount, reason }).meta({
  id: 'ChargeTransaction',
  description: 'A charge that is not for supply; it increases what the customer owes.',
  examples: [exampleCharge],
});

export const CreditTransaction = z.object({ ...unsupplied, type: type('CREDIT'), amount: signedAmount, reason }).meta({
  id: 'CreditTransaction',
  description: 'A credit; it reduces what the customer owes.',
  examples: [{ ...identified, type: 'CREDIT', amount: 12.3, reason: 'GENERAL_CREDIT' }],
});

export const PaymentTransaction = z
  .object({ ...unsupplied, type: type('PAYMENT'), amount: amountPaid, reason: reasonOfPayment })
  .meta({
    id: 'PaymentTransaction',
    description: 'Money that the customer paid; negative, a payment that is taken back.',
    examples: [examplePayment],
  });

export const RepaymentTransaction = z
  .object({ ...unsupplied, type: type('REPAYMENT'), amount: amountPaidBack, reason: reasonOfPayment })
  .meta({
    id: 'RepaymentTransaction',
    description: 'Money that was paid back to the customer.',
    examples: [
      { ...identified, type: 'REPAYMENT', amount: 20, reason: 'FULL_CREDIT_REFUND', payment_type: 'DIRECT_CREDIT' },
    ],
  });

export const SupplyChargeTransaction = z
  .object({
    ...common,
    type: type('SUPPLY_CHARGE'),
    amount: signedAmount,
    product_code: productCode,
    line_items: field(
      list(LineItem, LIMITS.long_list, 1),
      `The lines of the charge, 1 to ${limitText(LIMITS.long_list)}.`,
    ),
  })
  .meta({
    id: 'SupplyChargeTransaction',
    description: 'A charge for supply over a period.',
    examples: [
      {
        transaction_id: 'T-20260401-03',
        transaction_date: '2026-04-01',
        type: 'SUPPLY_CHARGE',
        amount: 80.37,
        product_code: 'E-1R-FIX-24M-A',
        line_items: [exampleLineItem],
        tax_items: [exampleTaxItem],
      },
    ],
  });

/** A financial transaction (behaviour 2.5); `type` says which fields it has. */
export const Transaction = z
  .discriminatedUnion(
    'type',
    [ChargeTransaction, CreditTransaction, PaymentTransaction, RepaymentTransaction, SupplyChargeTransaction],
    { error: 'See “How to write a bounced payment” and the pages beside it in the guide.' },
  )
  .meta({
    id: 'Transaction',
    description: 'A financial transaction of the account; `type` says which fields it has.',
    examples: [exampleCharge, examplePayment],
  });
export type Transaction = z.infer<typeof Transaction>;
