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
