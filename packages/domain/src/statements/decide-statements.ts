import { differingFields, moneyText, STATEMENT_AMOUNTS, type Statement } from '@causeway/contracts';
import { DomainError } from '../shared/errors.ts';
import type { ImportSupplierConfiguration } from '../shared/find-import-supplier.ts';

type Amount = (typeof STATEMENT_AMOUNTS)[number];
type Named = 'statement_id' | 'bill_period_from_date' | 'bill_period_to_date';

/** A historical statement as it is stored. */
export type StatementRecord = Pick<Statement, Named> & {
  [Field in Exclude<keyof Statement, Named | Amount>]?: Statement[Field] | null;
} & { [Field in Amount]?: string | null | undefined };

export interface StatementDecision {
  added: StatementRecord[];
  /** Those that the account has without the path that was sent now. */
  filled: Pick<StatementRecord, 'statement_id' | 'statement_path'>[];
}

/**
 * The statements that the account does not have yet, and the paths that it lacks of those that it has; refuses the first
 * one whose id another statement has (behaviour 4.6).
 */
export function decideStatements(statements: Statement[], stored: StatementRecord[]): StatementDecision {
  const known = new Map(stored.map((record) => [record.statement_id, record]));
  const added: StatementRecord[] = [];
  const filled: StatementDecision['filled'] = [];
  for (const [index, statement] of statements.entries()) {
    const record = statementRecord(statement);
    const { statement_id, statement_path } = record;
    const before = known.get(statement_id);
    const differing = before === undefined ? [] : differingFields(before, record);
    if (before === undefined) added.push(record);
    else if (isPathAlone(differing) && lacksPath(before) && !added.includes(before))
      filled.push({ statement_id, statement_path });
    else if (differing.length > 0) throw otherValues(record, index);
    known.set(statement_id, record);
  }
  return { added, filled };
}

function statementRecord(statement: Statement): StatementRecord {
  const amounts = STATEMENT_AMOUNTS.flatMap((name) => {
    const amount = statement[name];
    return amount === undefined ? [] : [[name, moneyText(amount)]];
  });
  const { gross_amount: _gross, net_amount: _net, tax_amount: _tax, ...others } = statement;
  return { ...others, ...Object.fromEntries(amounts) };
}

const isPathAlone = (names: readonly string[]) => names.length === 1 && names[0] === 'statement_path';

const lacksPath = ({ statement_path }: StatementRecord) => statement_path === null || statement_path === undefined;

function otherValues({ statement_id }: StatementRecord, index: number): DomainError {
  return new DomainError(
    'historical_statement_already_exists',
    `The account has a statement ${statement_id} with other values: it was not changed. See “How to write a cancelled statement” in the guide.`,
    { attr: `statements.${index}.statement_id` },
  );
}

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
    const amounts = STATEMENT_AMOUNTS.flatMap((name) => {
      const sent = statement[name];
      return sent === undefined ? [] : [[name, hundredth(sent, `statements.${index}.${name}`)]];
    });
    return { ...statement, ...Object.fromEntries(amounts) };
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
