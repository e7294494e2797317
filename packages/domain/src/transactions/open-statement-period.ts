import { dayAfter, dayIn } from '../dates.ts';

/** The days, both inclusive, within which a transaction can be added to the account. */
export interface OpenStatementPeriod {
  from: string;
  to: string;
}

/**
 * From the day after the account was last billed (or the day it was created, where that is not known) up to and
 * including today, in the service's time zone. Today is always inside, also right after a bill.
 */
export function openStatementPeriod(
  account: { last_billed_to_date: string | null; created_at: Date },
  timeZone: string,
  now: Date,
): OpenStatementPeriod {
  const to = dayIn(timeZone, now);
  const start =
    account.last_billed_to_date === null ? dayIn(timeZone, account.created_at) : dayAfter(account.last_billed_to_date);
  return { from: start > to ? to : start, to };
}

/** The day of the period that is nearest to the given one. */
export function nearestDayInside(day: string, period: OpenStatementPeriod): string {
  if (day < period.from) {
    return period.from;
  }
  return day > period.to ? period.to : day;
}
