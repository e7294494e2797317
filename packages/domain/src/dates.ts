/** A datetime as the wire has it: YYYY-MM-DDTHH:MM:SSZ, cut to the second (specification 2.2). */
export function utcDatetime(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`;
}

/** The calendar day, YYYY-MM-DD, that an instant falls on in a time zone. */
export function dayIn(timeZone: string, instant: Date): string {
  let formatter = formatters.get(timeZone);
  if (formatter === undefined) {
    // The Swedish locale writes dates the ISO way.
    formatter = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
    formatters.set(timeZone, formatter);
  }
  return formatter.format(instant);
}

/** The calendar day after a YYYY-MM-DD day. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

const formatters = new Map<string, Intl.DateTimeFormat>();
