import { sql } from '@causeway/db';

/** The id of a problem, as it was last added up or has been seen since. No row if no account has it. */
export const FIND_PROBLEM = sql('find-problem', { id: 'uuid | null' })`
  SELECT id
  FROM import_problems
  WHERE import_supplier_code = ${'import_supplier_code'}
    AND operation = ${'operation'}
    AND is_refusal = ${'refused'}
    AND code = ${'code'}
    AND attr = ${'attr'}
  UNION
  SELECT problem_id
  FROM import_problem_changes
  WHERE import_supplier_code = ${'import_supplier_code'}
    AND operation = ${'operation'}
    AND is_refusal = ${'refused'}
    AND split_part(problem, ' ', 1) = ${'code'}
    AND split_part(problem, ' ', 2) = ${'attr'}
  LIMIT 1`;
