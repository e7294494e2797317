/** A count, or an amount in its one spelling, with its thousands apart: `1,204,331`, `-2,090,177.40`. Exact. */
export function grouped(number: number | string): string {
  return String(number).replace(/^-?[0-9]+/, (digits) => digits.replace(/(?<=[0-9])(?=(?:[0-9]{3})+$)/g, ','));
}
