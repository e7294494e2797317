import type { FieldError } from '@causeway/contracts';
import { checkAccountLine } from './check-account-line.ts';
import { checkHistoryLine, firstImportOf } from './check-history-line.ts';
import type { BookSettings, ReadBookLine } from './checked-line.ts';
import { fieldsOfLine, isFields } from './line-fields.ts';
import { parseLine } from './parse-line.ts';
import { refusedLine } from './refused-line.ts';

/**
 * Reads one line of a book (behaviour 21.1): the requests that it stands for, checked, or the refusal that the API
 * gives to the same data: the same codes, sentences and paths. Pure: what needs a look-up is left to the caller. A failed
 * row is read as the line in it.
 */
export function readBookLine(bytes: Buffer, settings: BookSettings): ReadBookLine {
  const parsed = parseLine(bytes, settings.maxLineBytes);
  if ('refusal' in parsed) return { ...parsed, external_account_number: undefined };
  const fields = fieldsOfLine(parsed.object, settings);
  const { account, errors } = fields;
  if (isFields(account)) return checkAccountLine(account, fields, settings);
  if (account === undefined) return checkHistoryLine(fields, settings);
  const refused = { code: 'account_failed_validation', sent: parsed.object } as const;
  const all = [account === null ? NULL : NO_OBJECT, ...errors];
  const step = firstImportOf(fields.history) ?? 'validate';
  return refusedLine({ ...refused, step }, { all });
}

const NULL: FieldError = {
  detail: 'Must not be null; leave an optional field out instead.',
  code: 'null',
  attr: 'account',
};
const NO_OBJECT: FieldError = { detail: 'Must be an object.', code: 'invalid', attr: 'account' };
