import { moneyText, pathBelowRoot, type Statement } from '@causeway/contracts';
import { DomainError } from '../errors.ts';

/** A historical statement as it is stored. */
export type StatementRecord = Omit<Statement, 'gross_amount' | 'statement_path'> & {
  gross_amount: string;
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
    const record = { ...statement, gross_amount: moneyText(statement.gross_amount) };
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
    one.issued_date === other.issued_date &&
    one.number === other.number &&
    one.gross_amount === other.gross_amount &&
    documentOf(one) === documentOf(other)
  );
}

const documentOf = ({ statement_path }: StatementRecord) => pathBelowRoot(statement_path ?? '');
