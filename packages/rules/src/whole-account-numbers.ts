/** What other systems call the number of a bank account, or a part of it. */
const NAMES = ['account_number', 'bank_account_number', 'sort_code', 'iban'];

/** The fields that have the whole number of a bank account, whatever is in them: none is documented. */
export function wholeNumbersIn(fields: object): string[] {
  return NAMES.filter((name) => name in fields);
}
