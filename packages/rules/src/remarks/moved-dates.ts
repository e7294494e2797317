import { sentHistory } from '@causeway/contracts';
import type { Doubt } from './remarks-of.ts';

/**
 * The transactions of an account that lie outside its open statement period, if it were created today: from the day after
 * `last_billed_to_date`, or from today, to today. They are stored on its nearest day (behaviour 4.5, 4.17.3).
 */
export function movedDates(account: unknown, today: string): Doubt[] {
  const { items, path } = sentHistory(account).transactions;
  const { last_billed_to_date: billed } = Object(account) as { last_billed_to_date?: string };
  const isBefore = (day: string) => (billed === undefined || billed >= today ? day < today : day <= billed);
  return items.flatMap(({ transaction_date: day }, index): Doubt[] => {
    const isMoved = typeof day === 'string' && (day > today || isBefore(day));
    return isMoved ? [{ code: 'transaction_date_moved', attr: `${path}.${index}.transaction_date` }] : [];
  });
}
