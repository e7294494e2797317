import { moneyText, pathBelowRoot, type Statement } from '@causeway/contracts';
import { DomainError } from '../errors.ts';

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
