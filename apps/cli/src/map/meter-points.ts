const MPAN_WEIGHTS = [3, 5, 7, 13, 17, 19, 23, 29, 31, 37, 41, 43];

/** Thirteen digits of an electricity meter point in Great Britain, the last one a check digit. */
export function isMpan(text: string): boolean {
  if (!/^\d{13}$/.test(text)) return false;
  const sum = MPAN_WEIGHTS.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return (sum % 11) % 10 === Number(text[12]);
}

/** Six to ten digits of a gas meter point in Great Britain, the last two of them check digits. */
export function isMprn(text: string): boolean {
  if (!/^\d{6,10}$/.test(text)) return false;
  const digits = text.slice(0, -2);
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (digits.length - index), 0);
  return sum % 11 === Number(text.slice(-2));
}

/** Eighteen digits of a GSRN, as Belgium and the Netherlands number meter points, the last one a check digit. */
export function isEan18(text: string): boolean {
  if (!/^\d{18}$/.test(text)) return false;
  const sum = [...text.slice(0, -1)].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1),
    0,
  );
  return (10 - (sum % 10)) % 10 === Number(text[17]);
}
