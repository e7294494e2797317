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

const formatters = new Map<string, Intl.DateTimeFormat>();
