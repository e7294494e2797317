/** The days, both inclusive, within which a transaction can be added to the account. */
export interface OpenStatementPeriod {
  from: string;
  to: string;
}

/**
 * From the day that the account's creation set (the day after it was last billed, or that of its creation) up to and
 * including today. Today is always inside, also right after a bill.
 */
export function openStatementPeriod(openStatementFrom: string, today: string): OpenStatementPeriod {
  return { from: openStatementFrom > today ? today : openStatementFrom, to: today };
}

/** The day of the period that is nearest to the given one. */
export function nearestDayInside(day: string, period: OpenStatementPeriod): string {
  if (day < period.from) {
    return period.from;
  }
  return day > period.to ? period.to : day;
}
