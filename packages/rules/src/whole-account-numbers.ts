import validator from 'validator';

/** What other systems call the number of a bank account, or a part of it: in whichever case, with whatever between words. */
const NAMES = ['accountnumber', 'bankaccountnumber', 'sortcode', 'iban'];
const NOT_A_LETTER = /[^a-z]/g;
/** An IBAN with a space or two between its groups of four. */
const MAX_LENGTH = 50;

/** The fields that have the whole number of a bank account: by their name, whatever is in them, or because they have an IBAN. */
export function wholeNumbersIn(fields: object): string[] {
  return Object.entries(fields).flatMap(([name, value]) => (isWhole(name, value) ? name : []));
}

function isWhole(name: string, value: unknown): boolean {
  if (NAMES.includes(name.toLowerCase().replaceAll(NOT_A_LETTER, ''))) return true;
  if (typeof value === 'string') return value.length <= MAX_LENGTH && validator.isIBAN(value);
  return typeof value === 'object' && value !== null && wholeNumbersIn(value).length > 0;
}
