/** Whole pence from a decimal text with at most two places, such as "-12.5"; exact. Throws where it is not one. */
export function penceOf(decimal: string): number {
  const parts = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(decimal);
  if (!parts) throw new Error(`Not an amount of money: ${decimal}`);
  const [, sign, pounds, fraction = ''] = parts;
  const pence = Number(pounds) * 100 + Number(fraction.padEnd(2, '0'));
  return sign === '-' ? -pence : pence;
}

/** The JSON number for an amount: 1234 pence become 12.34, which prints with two decimals at most. */
export function poundsOf(pence: number): number {
  return pence / 100;
}

/** The decimal text for an amount: 1234 pence become "12.34". */
export function decimalOf(pence: number): string {
  const digits = String(Math.abs(pence)).padStart(3, '0');
  return `${pence < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The sum of whole amounts. */
export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
