import { z } from 'zod';
import { list } from './bounded-list.ts';
import { DryRun } from './dry-run.ts';
import { documented, field, optional } from './field.ts';
import { CalendarDate, DocumentPath } from './formats.ts';
import { ExternalAccountNumber, ImportSupplierCode, NEW_IDENTIFIER_RULE } from './identifiers.ts';
import { LIMITS, limitText } from './limits.ts';
import { Money } from './numbers.ts';
import { repeatsAreEqual } from './repeats.ts';
import { startsBeforeItEnds, withRules } from './rules.ts';
import { identifierOfStored, text } from './text.ts';

export const exampleStatement = {
  bill_period_from_date: '2026-01-01',
  bill_period_to_date: '2026-01-31',
  statement_id: 'ST-2026-01-0001482',
  issued_date: '2026-02-03',
  number: '1482-12',
  gross_amount: 112.07,
};

/** A historical statement (behaviour 2.6). */
export const Statement = withRules(
  z.object({
    bill_period_from_date: field(CalendarDate, 'The first day of the period billed.', '2026-01-01'),
    bill_period_to_date: field(CalendarDate, 'The last day of the period billed; not before the first.', '2026-01-31'),
    statement_id: field(
      identifierOfStored(LIMITS.name),
      `Your own identifier of the statement, unique within the account. ${NEW_IDENTIFIER_RULE} Sending the same statement again changes nothing.`,
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
  }),
  startsBeforeItEnds('bill_period_from_date', 'bill_period_to_date'),
).apply(documented, 'Statement', 'A statement that you issued before the migration.');
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

/** The validated request (behaviour 4.6). */
export const ImportStatementsResponse = z
  .object(statementsOfAccount)
  .apply(documented, 'ImportStatementsResponse', 'The statements as validated and stored.');
export type ImportStatementsResponse = z.infer<typeof ImportStatementsResponse>;
