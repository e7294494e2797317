/** What SQLite gives a function: a number is a REAL, a bigint an INTEGER. */
export type Argument = string | bigint | number | Uint8Array | null;

/** What a function has read: its value, or what is wrong with its argument, in a sentence that does not repeat it. */
export type Read = { value: string | number | null; fault?: undefined } | { value?: undefined; fault: string };

/** A function of a mapping. */
export interface SqlFunction {
  name: string;
  /** How many arguments it takes. */
  least: number;
  most: number;
  /** How many of them, from the first, are values of a row: NULL or '' in one of them gives NULL. */
  values: number;
  /** @throws RangeError where the other arguments are wrong: that is an error of the mapping, not of a row */
  read(values: readonly Argument[]): Read;
}

/** Undefined of a BLOB and of NULL. */
export function textOf(value: Argument): string | undefined {
  return value === null || value instanceof Uint8Array ? undefined : String(value);
}

/** @throws RangeError where an argument is no whole number from 0 to `most` */
export function wholeNumberOf(value: Argument, { most, what }: { most: number; what: string }): number {
  const number = Number(textOf(value) ?? Number.NaN);
  if (Number.isInteger(number) && number >= 0 && number <= most) return number;
  throw new RangeError(`${what} must be a whole number from 0 to ${most}.`);
}
