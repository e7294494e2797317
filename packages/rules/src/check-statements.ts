import { type FieldError, LIMITS, STATEMENT_AMOUNTS } from '@causeway/contracts';

/** What the rules of statements depend on besides the request. */
export interface CheckStatementsOptions {
  importSupplier: { statement_amount_unit: 'MAJOR' | 'MINOR' };
}

/**
 * The rule of statements that depends on the import supplier: where it sends amounts in the minor unit, they are whole
 * numbers (behaviour 2.9.4). It checks the unvalidated request, or the account that carries the statements, and skips
 * values of the wrong type, and lists that the schema refuses for their length; it reports problems up to the maximum.
 */
export function checkStatements(request: unknown, { importSupplier }: CheckStatementsOptions): FieldError[] {
  if (importSupplier.statement_amount_unit === 'MAJOR') return [];
  const { statements } = Object(request) as { statements?: unknown };
  const listed: unknown[] = Array.isArray(statements) && statements.length <= LIMITS.statements ? statements : [];
  const errors = listed.flatMap((statement, index) =>
    STATEMENT_AMOUNTS.filter((name) => isFraction(Object(statement)[name])).map((name) => ({
      ...NOT_WHOLE,
      attr: `statements.${index}.${name}`,
    })),
  );
  return errors.slice(0, LIMITS.reported_errors);
}

/** "12.00" is none either: who writes decimals may mean the major unit. */
function isFraction(amount: unknown): boolean {
  return typeof amount === 'number' ? !Number.isInteger(amount) : typeof amount === 'string' && amount.includes('.');
}

const NOT_WHOLE: Omit<FieldError, 'attr'> = {
  detail: 'Must be whole pence or cents: this import supplier sends the amounts of statements in the minor unit.',
  code: 'max_decimal_places',
};
