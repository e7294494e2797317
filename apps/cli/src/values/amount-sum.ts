import { addDecimals, type Decimal, readAmount } from './decimal.ts';

const ZERO: Decimal = { units: 0n, places: 2 };
const TWO_DECIMALS = /[.,]\d{2}\D*$/;

/** An exact sum, of which a part comes again. */
export interface SumOfAmounts {
  sum: Decimal;
  /** Of each row once. */
  once: Decimal;
  amounts: number;
  /** Values that are not empty, and are no amounts. */
  unreadable: number;
  /** Amounts of rows that say again what another says word for word. */
  repeated: number;
  /** Amounts with two decimals. */
  withTwoDecimals: number;
}

/**
 * Adds the amounts of a column up, each as `to_money` reads it, and CR as more: where a value may have decimals or
 * thousands, the other values decide; if they are of both kinds, it is not read.
 */
export class AmountSum {
  readonly #known = new Part();
  readonly #either = { point: new Part(), comma: new Part() };
  readonly #signs = { point: false, comma: false };
  #unreadable = 0;
  #withTwoDecimals = 0;

  /** @param times how many rows say the same */
  add(text: string, times = 1): void {
    if (text.trim() === '') return;
    const { value, fault } = readAmount(text, { credit: 'positive' });
    if (value !== undefined) {
      this.#known.add(value, times);
      for (const sign of ['point', 'comma'] as const) if (isOnly(text, sign)) this.#signs[sign] = true;
    } else if (fault === 'point-or-comma') {
      for (const decimalSign of ['point', 'comma'] as const) {
        const read = readAmount(text, { decimalSign, credit: 'positive' }).value;
        if (read !== undefined) this.#either[decimalSign].add(read, times);
      }
    } else this.#unreadable += times;
    if (TWO_DECIMALS.test(text)) this.#withTwoDecimals += times;
  }

  get total(): SumOfAmounts {
    const { point, comma } = this.#signs;
    const either = this.#either[comma ? 'comma' : 'point'];
    const isUnclear = point && comma;
    const parts = isUnclear ? [this.#known] : [this.#known, either];
    const count = (of: (part: Part) => number) => parts.reduce((all, part) => all + of(part), 0);
    return {
      sum: parts.map((part) => part.sum).reduce(addDecimals, ZERO),
      once: parts.map((part) => part.once).reduce(addDecimals, ZERO),
      amounts: count((part) => part.amounts),
      repeated: count((part) => part.repeated),
      unreadable: this.#unreadable + (isUnclear ? either.amounts : 0),
      withTwoDecimals: this.#withTwoDecimals,
    };
  }
}

const isOnly = (text: string, decimalSign: 'point' | 'comma') =>
  /[.,]/.test(text) &&
  readAmount(text, { decimalSign: decimalSign === 'point' ? 'comma' : 'point', credit: 'positive' }).value ===
    undefined;

class Part {
  sum = ZERO;
  once = ZERO;
  amounts = 0;
  repeated = 0;

  add(value: Decimal, times: number): void {
    this.sum = addDecimals(this.sum, { ...value, units: value.units * BigInt(times) });
    this.once = addDecimals(this.once, value);
    this.amounts += times;
    this.repeated += times - 1;
  }
}
