/** A median with the minimum and maximum of the values. */
interface Spread {
  median: number;
  least: number;
  most: number;
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  const lower = sorted.length % 2 === 0 ? (sorted[middle - 1] ?? upper) : upper;
  return { median: (lower + upper) / 2, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}

export function medianOf(values: readonly number[]): number {
  return spreadOf(values).median;
}

/** Three significant digits, but all digits before the decimal point: 12,345, 12.3, 0.123. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  const decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString('en-GB', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** "123 (110 - 130)". */
export function shownSpread(values: readonly number[]): string {
  const { median, least, most } = spreadOf(values);
  return values.length === 1 ? shown(median) : `${shown(median)} (${shown(least)} - ${shown(most)})`;
}
