import { type FieldError, LIMITS, sentHistory } from '@causeway/contracts';

/** What the rules of a history depend on besides the payload. */
export interface CheckHistoryOptions {
  /** YYYY-MM-DD in the service's time zone. */
  today: string;
}

/**
 * The rule of the history that an account carries (behaviour 4.17) that depends on the time: closed history without
 * `last_billed_to_date` is not dated after today. The schema has the others. It checks the unvalidated payload and
 * skips values of the wrong type, and lists that the schema refuses for their length; it reports problems up to the
 * maximum.
 */
export function checkHistory(payload: unknown, { today }: CheckHistoryOptions): FieldError[] {
  if (Object(payload).last_billed_to_date !== undefined) return [];
  const { path, items } = sentHistory(payload).historical_transactions;
  const errors = items.flatMap(({ transaction_date: day }, index) =>
    typeof day === 'string' && day > today ? [{ ...AFTER_TODAY, attr: `${path}.${index}.transaction_date` }] : [],
  );
  return errors.slice(0, LIMITS.reported_errors);
}

const AFTER_TODAY: Omit<FieldError, 'attr'> = {
  detail: 'Must not be after today: without last_billed_to_date, closed history ends today.',
  code: 'historical_transaction_not_billed',
};
