const DATE_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** `21 Nov 2026, 20:31:07 UTC`, of a datetime of the service. */
export function dateTime(at: string | Date): string {
  return `${DATE_TIME.format(new Date(at))} UTC`;
}

/** `20:31 UTC` */
export function timeOfDay(at: string | Date): string {
  return `${TIME.format(new Date(at))} UTC`;
}

/** `21 Nov 2026`, of a date or a datetime. */
export function date(at: string | Date): string {
  return DATE.format(new Date(at));
}

/** `12 s`, `8 min`, `3 h 20 min`, `4 days`: as exact as somebody wants who waits. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.round(hours / 24)} days`;
}

/** When something is tried again: what is due may have to wait for its turn. A datetime is written as the service does. */
export function againAt(at: string | null): string {
  if (at === null || Date.parse(at) <= Date.now()) return 'It is due, and will be tried again as soon as possible.';
  return `It is tried again at ${at}.`;
}
