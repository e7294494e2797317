import { moneyText, pathBelowRoot, type Statement } from '@causeway/contracts';
import { DomainError } from '../shared/errors.ts';
import type { ImportSupplierConfiguration } from '../shared/find-import-supplier.ts';

/** A historical statement as it is stored. */
export type StatementRecord = Pick<Statement, 'statement_id' | 'bill_period_from_date' | 'bill_period_to_date'> & {
  issued_date?: string | null | undefined;
  number?: string | null | undefined;
  gross_amount?: string | null | undefined;
  statement_path?: string | null | undefined;
};

/**
 * The statements that the account does not have yet; refuses the first one whose id another statement has (behaviour
 * 4.6).
 */
export function decideStatements(statements: Statement[], stored: StatementRecord[]): StatementRecord[] {
  const known = new Map(stored.map((record) => [record.statement_id, record]));
  const added: StatementRecord[] = [];
  for (const [index, statement] of statements.entries()) {
    const { gross_amount, ...others } = statement;
    const record = gross_amount === undefined ? others : { ...others, gross_amount: moneyText(gross_amount) };
    const before = known.get(record.statement_id);
    if (before === undefined) {
      known.set(record.statement_id, record);
      added.push(record);
    } else if (!isSame(before, record)) {
      throw new DomainError(
        'historical_statement_already_exists',
        `The account has a statement ${record.statement_id} with other values: it was not changed.`,
        { attr: `statements.${index}.statement_id` },
      );
    }
  }
  return added;
}

function isSame(one: StatementRecord, other: StatementRecord): boolean {
  return (
    one.bill_period_from_date === other.bill_period_from_date &&
    one.bill_period_to_date === other.bill_period_to_date &&
    (one.issued_date ?? null) === (other.issued_date ?? null) &&
    (one.number ?? null) === (other.number ?? null) &&
    (one.gross_amount ?? null) === (other.gross_amount ?? null) &&
    documentOf(one) === documentOf(other)
  );
}

const documentOf = ({ statement_path }: StatementRecord) => pathBelowRoot(statement_path ?? '');

/**
 * The statements with their amounts in the major unit, in which they are stored and compared, whichever unit the import
 * supplier sends (behaviour 2.9.4). The division is exact: amounts in the minor unit are whole, which the rules have
 * checked, unless the setting has changed since.
 */
export function inMajorUnit(
  statements: Statement[],
  { statement_amount_unit }: Pick<ImportSupplierConfiguration, 'statement_amount_unit'>,
): Statement[] {
  if (statement_amount_unit === 'MAJOR') return statements;
  return statements.map((statement, index) => {
    const { gross_amount: sent } = statement;
    if (sent === undefined) return statement;
    return { ...statement, gross_amount: hundredth(sent, `statements.${index}.gross_amount`) };
  });
}

function hundredth(amount: number | string, attr: string): string {
  const [, sign, digits = ''] = /^(-?)(\d+)$/.exec(String(amount)) ?? [];
  if (sign === undefined) {
    const detail = 'This import supplier sends amounts of statements in the minor unit: whole pence or cents.';
    throw new DomainError('request_failed_validation', detail, { attr });
  }
  const padded = digits.padStart(3, '0');
  return moneyText(`${sign}${padded.slice(0, -2)}.${padded.slice(-2)}`);
}
