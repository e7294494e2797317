import type { ImportSupplierConfiguration } from '../shared/find-import-supplier.ts';
import type { CallReport } from './settle.ts';

/**
 * That known items were sent again with other values (behaviour 4.15): the fields, once each. `results` has one entry
 * for each item of the request: the fields in which a known one differs from what was sent.
 */
export function reportDifferences(
  operation: 'notes' | 'transactions',
  results: readonly { differences?: string[] | undefined }[],
): CallReport[] {
  const fields = new Set<string>();
  for (const { differences } of results) {
    if (differences !== undefined) for (const field of differences) fields.add(field);
  }
  if (fields.size === 0) return [];
  const code = 'existing_data_differs';
  return [{ code, errors: [...fields].map((field) => ({ code, attr: `${operation}.*.${field}` })) }];
}

/** An amount that was sent, and the sum of its parts, which is another one. */
export interface BalanceFault {
  attr: string;
  sent: string;
  computed: string;
}

/** Adds everything up: only called where what does not add up is reported. */
export type FindBalanceFaults = () => readonly BalanceFault[];

/**
 * What does not add up, as the problem `balance_does_not_add_up` with the two sums of the first fault (behaviour
 * 4.17.12), if the import supplier is configured to report it.
 */
export function reportBalance(
  { balance_check }: ImportSupplierConfiguration,
  findFaults: FindBalanceFaults,
): CallReport[] {
  if (balance_check !== 'REPORT') return [];
  const faults = findFaults();
  const [first] = faults;
  if (first === undefined) return [];
  const { sent, computed } = first;
  const code = 'balance_does_not_add_up';
  return [{ code, errors: faults.map(({ attr }) => ({ code, attr })), detail: { sent, computed } }];
}
