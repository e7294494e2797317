import { ERROR_CODES, FIELD_CODES, REPORTED_PROBLEMS } from '@causeway/contracts';

/** Every code whose fault is not the form of a field, with what it means and what to do. */
const ROWS: Readonly<Record<string, { when: string; remedy: string }>> = { ...ERROR_CODES, ...REPORTED_PROBLEMS };

/**
 * What a problem is, for people. The description of the field says it where the field has a wrong form. Of an account that is
 * there already, say, it would explain how numbers are written: then it is the meaning of the code.
 */
export function explainProblem({ code, description }: { code: string; description: string | null }): string {
  const row = code in FIELD_CODES ? undefined : ROWS[code];
  return row === undefined ? (description ?? '') : `${row.when} ${row.remedy}`;
}
