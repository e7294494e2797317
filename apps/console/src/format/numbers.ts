const COUNT = new Intl.NumberFormat('en-GB');
const RATE = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });
const SHARE = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });
const BYTES = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });

/** `1,204,331` */
export function count(value: number): string {
  return COUNT.format(value);
}

/** `1 account`, `1,204 accounts`; another plural is given in full: `counted(2, 'reply', 'replies')`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `412 accounts/s` */
export function rate(perSecond: number): string {
  return `${RATE.format(perSecond)} accounts/s`;
}

/** `51.2%`. A part that is not everything is never shown as 100%, and something never as 0%. */
export function share(part: number, whole: number): string {
  if (whole === 0 || part === 0) return SHARE.format(0);
  if (part === whole) return SHARE.format(1);
  return SHARE.format(Math.min(0.999, Math.max(0.001, part / whole)));
}

/** `10.1 MB` */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  return `${BYTES.format(value / 1_000 ** power)} ${units[power]}`;
}
