import { formatsOf, isShortYear } from './read-date.ts';

/** A day as a column writes it, with the first line that has it. */
export interface PlacedDay {
  text: string;
  line: number | null;
}

/** How the days of a column are written. */
interface Judgement {
  /** Undefined: no day of it needs one. */
  format: string | undefined;
  /** Why nobody but the owner of the file can say whether the format is right, and by which day that is seen. */
  open?: { at: PlacedDay; what: string };
}

/** Judges the days of a column together: the format is the one in which all of them can be read. */
export function judgeDays(days: Iterable<PlacedDay>): Judgement {
  let formats: readonly string[] = [];
  let decidedBy: PlacedDay | undefined;
  for (const day of days) {
    const own = formatsOf(day.text);
    const [first] = own;
    if (first === undefined) continue;
    const both = decidedBy === undefined ? own : formats.filter((format) => own.includes(format));
    if (both.length === 0) {
      const line = decidedBy?.line === null ? '' : ` (line ${decidedBy?.line})`;
      return {
        format: first,
        open: { at: day, what: `the value is written ${first}, and another one ${formats[0]}${line}` },
      };
    }
    if (both.length !== formats.length) decidedBy = day;
    formats = both;
  }
  const [format, ...others] = formats;
  if (format === undefined || decidedBy === undefined) return { format };
  if (others.length > 0) {
    return { format, open: { at: decidedBy, what: `the value may be read as ${formats.join(' or as ')}` } };
  }
  if (!isShortYear(format)) return { format };
  return {
    format,
    open: { at: decidedBy, what: `the year has two digits: ${format} reads 50 to 99 as 1950 to 1999` },
  };
}
