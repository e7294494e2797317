import { sql } from '@causeway/db';

/**
 * The id of a problem, as it was last added up or has been seen since, under the first of these operations that has it.
 * No row if no account has it.
 */
export const FIND_PROBLEM = sql('find-problem', { id: 'uuid | null', operation: 'text | null' })`
  SELECT id, operation
  FROM (
    SELECT id, operation
    FROM import_problems
    WHERE import_supplier_code = ${'import_supplier_code'}
      AND operation = ANY (${'operations'}::text[])
      AND is_refusal = ${'refused'}
      AND code = ${'code'}
      AND attr = ${'attr'}
    UNION
    SELECT problem_id, operation
    FROM import_problem_changes
    WHERE import_supplier_code = ${'import_supplier_code'}
      AND operation = ANY (${'operations'}::text[])
      AND is_refusal = ${'refused'}
      AND split_part(problem, ' ', 1) = ${'code'}
      AND split_part(problem, ' ', 2) = ${'attr'}
  ) AS problem
  ORDER BY array_position(${'operations'}::text[], operation)
  LIMIT 1`;
