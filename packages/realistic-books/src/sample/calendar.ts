const DAY_IN_MS = 86_400_000;
/** One for all: each keeps memory of its own that V8 does not count, and so does not collect. */
const LONG_DATES = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** The calendar day `days` after (or, negative, before) an ISO date. No time zone is involved. */
export function addDays(date: string, days: number): string {
  return isoDateOf(dayNumberOf(date) + days);
}

/** How many days `to` lies after `from`. */
export function daysBetween(from: string, to: string): number {
  return dayNumberOf(to) - dayNumberOf(from);
}

/** A day written for people, such as 3 February 2026. */
export function inWords(date: string): string {
  return LONG_DATES.format(new Date(date));
}

function dayNumberOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_IN_MS;
}

function isoDateOf(dayNumber: number): string {
  return new Date(dayNumber * DAY_IN_MS).toISOString().slice(0, 10);
}
