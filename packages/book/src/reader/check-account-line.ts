import { AccountPayload, type FieldError, LIMITS } from '@causeway/contracts';
import {
  ACCOUNT_CHECKS,
  accountNumberIn,
  checkVendor,
  type FoundProblems,
  faultsOfIdentifiers,
  identifiersInHistory,
} from '@causeway/rules';
import { controlErrors } from '../figures/check-control.ts';
import { figuresOfLine } from '../figures/figures-of-line.ts';
import { checkPart } from './check-part.ts';
import type { AccountLine, BookSettings, ReadBookLine } from './checked-line.ts';
import { type LineFields, sentTwice } from './line-fields.ts';
import { refusedLine } from './refused-line.ts';
import { withoutZeros } from './zero-amounts.ts';

type Fields = Record<string, unknown>;

/** A line with an account, checked as validate and stage check the same account with its history (behaviour 21.1.2). */
export function checkAccountLine(account: Fields, fields: LineFields, settings: BookSettings): ReadBookLine {
  const part = {
    schema: AccountPayload,
    sent: { ...account, ...fields.history, ...fields.others },
    checks: ACCOUNT_CHECKS,
    alsoFind: (input: unknown) => [
      ...errorsOfLine(account, fields, settings),
      ...errorsOfNames(account, input, settings),
    ],
  };
  const result = checkPart(part, settings);
  const refused = { step: 'validate', code: 'account_failed_validation', sent: fields.sent } as const;
  const refuse = (problems: FoundProblems) => refusedLine(refused, problems);
  if ('problems' in result) return refuse(result.problems);
  const { external_account_number } = result.checked.request;
  const line: AccountLine = {
    kind: 'account',
    external_account_number,
    control: fields.control,
    account: result.checked,
  };
  const errors = controlErrors(line.control, () => figuresOfLine(line));
  if (errors.length > 0) return refuse({ all: errors });
  const { fields: request, omitted } = withoutZeros(line.account.request, settings.importSupplier);
  return { line: omitted === 0 ? line : { ...line, account: { ...line.account, request }, omitted } };
}

/** In the order of the calls, and as many as they report. */
function errorsOfNames(account: Fields, input: unknown, { paymentVendors }: BookSettings): FieldError[] {
  const identifiers = [accountNumberIn(account), ...identifiersInHistory(input)];
  const found = [...identifiers.flatMap(faultsOfIdentifiers), ...checkVendor(input, paymentVendors)];
  return found.slice(0, LIMITS.reported_errors);
}

/** What only a line can have wrong: what is beside the account contradicts it, or the book is another supplier's. */
export function errorsOfLine(
  account: Fields,
  fields: LineFields,
  { importSupplier }: { importSupplier: { code: string } },
): FieldError[] {
  const { errors, history, others, external_account_number: number } = fields;
  const twice = Object.keys({ ...history, ...others }).filter((name) => Object.hasOwn(account, name));
  const own = account.external_account_number;
  const isAnother = number !== undefined && own !== undefined && number !== own;
  const { import_supplier } = account;
  const isForeign = typeof import_supplier === 'string' && import_supplier !== importSupplier.code;
  return [
    ...errors,
    ...twice.map(sentTwice),
    ...(isAnother ? [ANOTHER_ACCOUNT] : []),
    ...(isForeign ? [otherSupplier(importSupplier.code)] : []),
  ];
}

const ANOTHER_ACCOUNT: FieldError = {
  detail: 'Must be the external_account_number of the account, or left out.',
  code: 'contradicts_another_field',
  attr: 'external_account_number',
};

function otherSupplier(code: string): FieldError {
  return {
    detail: `Must be ${code}, the import supplier of this book.`,
    code: 'invalid_choice',
    attr: 'import_supplier',
  };
}
