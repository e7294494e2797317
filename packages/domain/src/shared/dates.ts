/** A datetime in wire format: YYYY-MM-DDTHH:MM:SSZ, truncated to the second (behaviour 2.2). */
export function utcDatetime(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`;
}

/** The same of what may not have happened. */
export function utcDatetimeOrNull(instant: Date | null): string | null {
  return instant === null ? null : utcDatetime(instant);
}

type InWireFormat<Value> = Value extends Date ? string : Value;

/** A row with each of its instants in wire format. */
export function withUtcDatetimes<Row extends object>(row: Row) {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? utcDatetime(value) : value,
  ]);
  return Object.fromEntries(entries) as { [Name in keyof Row]: InWireFormat<Row[Name]> };
}

/** The calendar day, YYYY-MM-DD, of an instant in a time zone. */
export function dayIn(timeZone: string, instant: Date): string {
  const minute = Math.floor(instant.getTime() / 60_000);
  const known = lastDays.get(timeZone);
  if (known?.minute === minute) {
    return known.day;
  }
  // The Swedish locale formats dates as ISO 8601.
  const formatter = known?.formatter ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  const day = formatter.format(instant);
  lastDays.set(timeZone, { formatter, minute, day });
  return day;
}

// Every request asks for the day, and Intl is slow to tell (docs/decisions/0014): days begin on a full minute
// everywhere.
const lastDays = new Map<string, { formatter: Intl.DateTimeFormat; minute: number; day: string }>();

/** The calendar day after one, both YYYY-MM-DD. */
export function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}
