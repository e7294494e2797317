import type { Report } from './settle.ts';

/**
 * That known items were sent again with other values (behaviour 4.15): the fields, once each. `results` has one entry
 * for each item of the request: the fields in which a known one differs from what was sent.
 */
export function reportDifferences(
  operation: 'notes' | 'transactions',
  results: readonly { differences?: string[] | undefined }[],
): Report[] {
  const fields = new Set<string>();
  for (const { differences } of results) {
    if (differences !== undefined) for (const field of differences) fields.add(field);
  }
  if (fields.size === 0) return [];
  const code = 'existing_data_differs';
  return [{ code, errors: [...fields].map((field) => ({ code, attr: `${operation}.*.${field}` })) }];
}
