/** A count, or an amount in its one spelling, with its thousands apart: `1,204,331`, `-2,090,177.40`, `+1,511.43`. Exact. */
export function grouped(number: number | string): string {
  return String(number).replace(/^[+-]?[0-9]+/, (digits) => digits.replace(/(?<=[0-9])(?=(?:[0-9]{3})+$)/g, ','));
}

/** A count with its noun: `1 row`, `1,204 rows`. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : nouns}`;
}

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** A time span as people say it: `45 s`, `23 min`, `3 h 20 min`, `2 d 4 h`. */
export function duration(seconds: number): string {
  if (seconds < MINUTE_S) return `${Math.round(seconds)} s`;
  if (seconds < 90 * MINUTE_S) return `${Math.round(seconds / MINUTE_S)} min`;
  if (seconds < 2 * DAY_S) return parts(seconds, { unit: HOUR_S, name: 'h' }, { unit: MINUTE_S, name: 'min' });
  return parts(seconds, { unit: DAY_S, name: 'd' }, { unit: HOUR_S, name: 'h' });
}

interface Unit {
  unit: number;
  name: string;
}

function parts(seconds: number, whole: Unit, rest: Unit): string {
  const rounded = Math.round(seconds / rest.unit) * rest.unit;
  const left = Math.round((rounded % whole.unit) / rest.unit);
  return `${Math.floor(rounded / whole.unit)} ${whole.name}${left === 0 ? '' : ` ${left} ${rest.name}`}`;
}

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** A size as people say it, in powers of 1,000: `512 B`, `10.1 GB`. */
export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`;
  const power = Math.min(Math.floor(Math.log10(count) / 3), UNITS.length);
  return `${(count / 1_000 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}

/** A bar of `width` characters, filled up to a share from 0 to 1. */
export function bar(share: number, width: number): string {
  const filled = Math.floor(Math.min(Math.max(share, 0), 1) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

/** `51.2 %`, rounded down: what is not all is never 100. Nothing of nothing is all. */
export function percent(part: number, whole: number): string {
  const share = whole === 0 ? 1 : Math.min(part / whole, 1);
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}
