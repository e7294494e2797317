/** The first and last day, both inclusive, on which a transaction can be dated. */
export interface OpenStatementPeriod {
  from: string;
  to: string;
}

/**
 * From the day set when the account was created (the day after it was last billed, or the day of its creation) up to
 * and including today. Today is always inside, even right after a bill.
 */
export function openStatementPeriod(openStatementFrom: string, today: string): OpenStatementPeriod {
  return { from: openStatementFrom > today ? today : openStatementFrom, to: today };
}

/** The day of the period nearest to `day`. */
export function nearestDayInside(day: string, period: OpenStatementPeriod): string {
  if (day < period.from) {
    return period.from;
  }
  return day > period.to ? period.to : day;
}
