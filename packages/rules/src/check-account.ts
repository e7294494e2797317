import { ACCOUNT_TYPES, AccountPayload, type FieldError, LIMITS, UNKNOWN_ACCOUNT_TYPE } from '@causeway/contracts';
import { isPossiblePhoneNumber } from 'libphonenumber-js';

/** What the rules of an account depend on besides its payload. */
export interface CheckAccountOptions {
  /** `country` is an ISO 3166-1 alpha-2 code; `account_types` are known in addition to those of every supplier. */
  importSupplier: { country: string; account_types?: readonly string[] };
  /** YYYY-MM-DD in the service's time zone. */
  today: string;
}

/**
 * The rules of the account payload (behaviour 2.10) that depend on the import supplier's country or on today: possible
 * phone numbers, postcodes of the country, known account types, dates that cannot be in the future. They check the
 * unvalidated payload and skip values of the wrong type or length, so that their problems are reported together with
 * the schema's, up to the reported maximum.
 */
export function checkAccount(payload: unknown, { importSupplier, today }: CheckAccountOptions): FieldError[] {
  const { country } = importSupplier;
  const errors: FieldError[] = [];
  const check = (value: unknown, attr: string, problem: (text: string) => Problem | undefined): void => {
    if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH || errors.length === LIMITS.reported_errors) {
      return;
    }
    const found = problem(value);
    if (found !== undefined) {
      errors.push({ ...found, attr });
    }
  };
  const phoneNumber = (text: string) => (isPossible(text, country) ? undefined : IMPOSSIBLE_PHONE_NUMBER);
  const postcodeOf = (address: 'billing_address' | 'supply_address') => (text: string) =>
    country !== 'GB' || GB_POSTCODE.test(text) ? undefined : noGbPostcode(address);
  const notAfterToday = (text: string) => (text > today && isDay(text) ? DATE_IN_FUTURE : undefined);
  const past = (text: string) => (text >= today && isDay(text) ? DATE_IN_FUTURE : undefined);

  const accountType = (text: string) =>
    ACCOUNT_TYPES.includes(text) || importSupplier.account_types?.includes(text) ? undefined : UNKNOWN_ACCOUNT_TYPE;

  const account = fieldsOf(payload);
  check(account.account_type, 'account_type', accountType);
  check(account.last_billed_to_date, 'last_billed_to_date', notAfterToday);
  check(account.billing_postcode, 'billing_postcode', postcodeOf('billing_address'));
  for (const [index, value] of listOf(account.customers, LIMITS.customers).entries()) {
    const customer = fieldsOf(value);
    check(customer.mobile, `customers.${index}.mobile`, phoneNumber);
    check(customer.landline, `customers.${index}.landline`, phoneNumber);
    check(customer.date_of_birth, `customers.${index}.date_of_birth`, past);
    for (const [place, number] of listOf(customer.alternative_phone_numbers, LIMITS.nested).entries()) {
      const at = `customers.${index}.alternative_phone_numbers.${place}`;
      check(number, at, phoneNumber);
      check(fieldsOf(number).phone_number, `${at}.phone_number`, phoneNumber);
    }
  }
  for (const [index, value] of listOf(account.supply_addresses, LIMITS.supply_addresses).entries()) {
    const address = fieldsOf(value);
    check(address.supply_postcode, `supply_addresses.${index}.supply_postcode`, postcodeOf('supply_address'));
    for (const [place, administrator] of listOf(address.property_administrators, LIMITS.nested).entries()) {
      const at = `supply_addresses.${index}.property_administrators.${place}`;
      const { mobile, landline } = fieldsOf(administrator);
      check(mobile, `${at}.mobile`, phoneNumber);
      check(landline, `${at}.landline`, phoneNumber);
    }
  }
  return errors;
}

export type Problem = Omit<FieldError, 'attr'>;

const IMPOSSIBLE_PHONE_NUMBER: Problem = {
  detail:
    'Enter a possible phone number of the supplier’s country, or one with its country code, such as +441632960001.',
  code: 'invalid_phone_number',
};
const noGbPostcode = (address: string): Problem => ({
  detail: `Enter a postcode of the United Kingdom, such as SW1A 1AA. An address abroad is sent as ${address}, with its country. See “How to write a landlord abroad” in the guide.`,
  code: 'invalid_postcode',
});
export const DATE_IN_FUTURE: Problem = { detail: 'Enter a date that is not in the future.', code: 'date_in_future' };

// Anything longer is refused by the schema already.
const MAX_TEXT_LENGTH = 64;
// The library finds these possible too, since ten digits are wherever +44 is; asking it about each number would be
// much of a stage's time (docs/decisions/0014).
const USUAL_GB_NUMBER = /^(?:\+44 ?|0)[1-9](?: ?\d){9}$/;
const GB_POSTCODE = /^(?:[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}|GIR ?0AA)$/i;

// The schema refuses anything that is not a day.
function isDay(text: string): boolean {
  return AccountPayload.shape.last_billed_to_date.safeParse(text).success;
}

function isPossible(text: string, country: string): boolean {
  if (country === 'GB' && USUAL_GB_NUMBER.test(text)) {
    return true;
  }
  return isPossiblePhoneNumber(text, country as Parameters<typeof isPossiblePhoneNumber>[1] & string);
}

/** The fields of what may be no object. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The schema refuses a list that is too long, before it reads any item. */
export function listOf(value: unknown, maximum: number): unknown[] {
  return Array.isArray(value) && value.length <= maximum ? value : [];
}
