import { dateTime } from '../format/times.ts';

/** A datetime of the service, in UTC and saying so; a dash where none exists. */
export function Time({ at }: { at: string | null | undefined }) {
  return at ? <time dateTime={at}>{dateTime(at)}</time> : <span>–</span>;
}
