import { z } from 'zod';
import { list } from './bounded-list.ts';
import { filled } from './differing-fields.ts';
import { DryRun } from './dry-run.ts';
import { documented, field, optional } from './field.ts';
import { CalendarDate, CurrencyCode, DocumentPath } from './formats.ts';
import { ExternalAccountNumber, ImportSupplierCode, NEW_IDENTIFIER_RULE } from './identifiers.ts';
import { LIMITS, limitText } from './limits.ts';
import { Money } from './numbers.ts';
import { repeatsAreEqual } from './repeats.ts';
import { type Rule, startsBeforeItEnds, withRules } from './rules.ts';
import { identifierOfStored, text } from './text.ts';

const UNIT = 'In the unit of `gross_amount`.';

export const exampleStatement = {
  bill_period_from_date: '2026-01-01',
  bill_period_to_date: '2026-01-31',
  statement_id: 'ST-2026-01-0001482',
  issued_date: '2026-02-03',
  number: '1482-12',
  gross_amount: 112.07,
};

/** The amounts of a statement, which `statement_amount_unit` is about. */
export const STATEMENT_AMOUNTS = ['gross_amount', 'net_amount', 'tax_amount'] as const;

const replacesAnother: Rule<{ statement_id: string; replaces?: string | undefined }> = {
  reads: ['statement_id', 'replaces'],
  check: ({ statement_id, replaces }) =>
    replaces === statement_id
      ? {
          code: 'contradicts_another_field',
          path: ['replaces'],
          detail: 'Must be the statement_id of another statement, or left out.',
        }
      : undefined,
};

/** A historical statement (behaviour 2.6). */
export const Statement = withRules(
  z.object({
    bill_period_from_date: field(CalendarDate, 'The first day of the period billed.', '2026-01-01'),
    bill_period_to_date: field(CalendarDate, 'The last day of the period billed; not before the first.', '2026-01-31'),
    statement_id: field(
      identifierOfStored(LIMITS.name),
      `Your own identifier of the statement, unique within the account. ${NEW_IDENTIFIER_RULE} Sending the same statement again changes nothing, but a missing \`statement_path\` is added.`,
      'ST-2026-01-0001482',
    ),
    issued_date: optional(CalendarDate, 'The day on which the statement was issued.', '2026-02-03'),
    number: optional(text(LIMITS.name), 'The number printed on the statement.', '1482-12'),
    gross_amount: optional(
      Money,
      'The total including tax in the major unit of the currency (pounds, euros): a number or a decimal string, at most two ' +
        'decimals, negative for a credit. If the import supplier is configured with `statement_amount_unit` MINOR, send ' +
        'whole pence or cents instead; they are stored and shown in the major unit. Leave it out if you do not know it: 0 is ' +
        'a total too.',
      112.07,
    ),
    statement_path: optional(
      DocumentPath,
      'The path of the PDF, relative to the document root of the import supplier.',
      'statements/2026/01/NW-0001482.pdf',
    ),
    status: optional(
      z.enum(['ISSUED', 'CANCELLED', 'REPLACED']),
      'ISSUED: it is valid. CANCELLED: it was taken back. REPLACED: another statement took its place, and names it in `replaces`. Stored as sent; whatever it is, the statement counts, and so does its `gross_amount`.',
      'ISSUED',
    ),
    replaces: optional(
      identifierOfStored(LIMITS.name),
      'The `statement_id` of the statement whose place this one took. It need not be sent, or may be sent later.',
      'ST-2025-12-0001482',
    ),
    due_date: optional(CalendarDate, 'The day by which the statement was to be paid.', '2026-02-17'),
    net_amount: optional(Money, `The total without tax. ${UNIT}`, 106.73),
    tax_amount: optional(Money, `The tax in the total. ${UNIT}`, 5.34),
    currency: optional(
      CurrencyCode,
      'The currency of the amounts, as an ISO 4217 code. Stored as sent; nothing is converted.',
      'GBP',
    ),
  }),
  startsBeforeItEnds('bill_period_from_date', 'bill_period_to_date'),
  replacesAnother,
).apply(documented, 'Statement', 'A statement that you issued before the migration.', 'replaces');
export type Statement = z.infer<typeof Statement>;

const statementsOfAccount = {
  import_supplier: ImportSupplierCode,
  external_account_number: ExternalAccountNumber,
  statements: field(list(Statement, LIMITS.statements, 1), `The statements, 1 to ${limitText(LIMITS.statements)}.`),
};
/** The request of the historical statements import (behaviour 4.6). */
export const ImportStatementsRequest = withRules(
  z.object({ ...statementsOfAccount, dry_run: DryRun }),
  repeatsAreEqual('statements', 'statement_id'),
).apply(
  documented,
  'ImportStatementsRequest',
  'Adds historical statements to an imported account: all of them or, if one violates a rule, none.',
  'dry_run',
);
export type ImportStatementsRequest = z.infer<typeof ImportStatementsRequest>;

/** A statement as it was sent, and what it has added to the stored one (behaviour 4.6.6). */
export const ImportedStatement = z
  .object({
    ...Statement.shape,
    filled: optional(
      filled,
      'Only on a statement that the account already has: the fields that were missing there and are now stored. Absent if there are none.',
      ['statement_path'],
    ),
  })
  .apply(documented, 'ImportedStatement', 'A statement as validated and stored.', 'replaces', 'filled');
export type ImportedStatement = z.infer<typeof ImportedStatement>;

/** The validated request (behaviour 4.6). */
export const ImportStatementsResponse = z
  .object({
    ...statementsOfAccount,
    statements: field(
      list(ImportedStatement, LIMITS.statements, 1),
      `The statements, 1 to ${limitText(LIMITS.statements)}, in the order of the request.`,
    ),
  })
  .apply(documented, 'ImportStatementsResponse', 'The statements as validated and stored.');
export type ImportStatementsResponse = z.infer<typeof ImportStatementsResponse>;
