import { moneyText, type Statement } from '@causeway/contracts';
import { DomainError } from '../errors.ts';
import type { ImportSupplierConfiguration } from '../import-suppliers/find-import-supplier.ts';

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
