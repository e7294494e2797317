import { type DoubtCode, isUnusualEmailAddress, type Remark } from '@causeway/contracts';
import validator from 'validator';
import { doubtOfText } from './doubtful-text.ts';
import { isLikelyMeterPoint } from './meter-point-form.ts';
import { type Days, remarksOfReadings } from './remarks-of-readings.ts';

/** A remark that a rule makes about a request. */
export type Doubt = Remark<DoubtCode>;

type Fields = Readonly<Record<string, unknown>>;

/** What is doubtful about the texts of a request, each by itself. */
export function remarksOfTexts(request: unknown): Doubt[] {
  const remarks: Doubt[] = [];
  visit(request, [], remarks);
  return remarks;
}

function visit(value: unknown, path: readonly (string | number)[], remarks: Doubt[]): void {
  if (typeof value === 'string') {
    const code = doubtOfText(value, String(path.findLast((part) => typeof part === 'string')));
    if (code !== undefined) remarks.push({ code, attr: path.join('.') });
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, [...path, index], remarks);
  } else {
    for (const [name, item] of Object.entries(value ?? {})) visit(item, [...path, name], remarks);
  }
}

/**
 * What is doubtful about an account: its meter points and postcodes, judging by their country, its readings, judging by
 * the day, and e-mail addresses.
 */
export function remarksOfAccount(account: unknown, judged: { country: string; today: string }): Doubt[] {
  return new AccountRemarks(judged).of(fields(account));
}

/** Paths are written only where there is something to say: nearly every account has nothing. */
class AccountRemarks {
  readonly #country: string;
  readonly #today: string;
  readonly #remarks: Doubt[] = [];

  constructor({ country, today }: { country: string; today: string }) {
    this.#country = country;
    this.#today = today;
  }

  of({ billing_address, billing_postcode, billing_email, customers, supply_addresses }: Fields): Doubt[] {
    this.#email(billing_email, 'billing_email');
    if (isUnlikely(billing_postcode, this.#country)) this.#add('unlikely_postcode', 'billing_postcode');
    if (isAddressUnlikely(billing_address)) this.#add('unlikely_postcode', 'billing_address.postal_code');
    for (const [index, { email }] of list(customers).entries()) this.#email(email, `customers.${index}.email`);
    for (const [place, address] of list(supply_addresses).entries()) this.#address(address, place);
    return this.#remarks;
  }

  #add(code: DoubtCode, attr: string): void {
    this.#remarks.push({ code, attr });
  }

  #email(email: unknown, attr: string): void {
    if (typeof email !== 'string') return;
    if (isUnusualEmailAddress(email)) this.#add('unusual_email_address', attr);
    if (NOBODYS_ADDRESS.test(email)) this.#add('placeholder', attr);
  }

  #address(address: Fields, place: number): void {
    const { supply_address, supply_postcode, meter_points } = address;
    const at = `supply_addresses.${place}`;
    if (isAddressUnlikely(supply_address)) this.#add('unlikely_postcode', `${at}.supply_address.postal_code`);
    if (isUnlikely(supply_postcode, this.#country)) this.#add('unlikely_postcode', `${at}.supply_postcode`);
    const { country = this.#country } = fields(supply_address);
    const { customer_at_supply_address_from_date: from, customer_at_supply_address_to_date: to } = address;
    for (const [index, point] of list(meter_points).entries()) {
      const { identifier, mpxn, supply_type, meters } = point;
      const text = identifier ?? mpxn;
      if (typeof text === 'string' && !isLikelyMeterPoint(text, String(country), supply_type)) {
        const name = identifier === undefined ? 'mpxn' : 'identifier';
        this.#add('unlikely_meter_point', `${at}.meter_points.${index}.${name}`);
      }
      const days = [
        [from, to],
        [point.supply_start_date, point.supply_end_date],
        [undefined, this.#today],
      ] as const;
      this.#meters(list(meters), `${at}.meter_points.${index}`, days);
    }
  }

  #meters(meters: readonly Fields[], path: string, days: readonly Days[]): void {
    for (const [index, meter] of meters.entries()) {
      const { meter_serial_number: serial } = meter;
      const isRepeated = serial !== undefined && meters.findIndex((one) => one.meter_serial_number === serial) < index;
      if (isRepeated) this.#add('repeated_meter_serial_number', `${path}.meters.${index}.meter_serial_number`);
      for (const { code, attr } of remarksOfReadings(meter, days)) {
        this.#add(code, `${path}.meters.${index}.${attr}`);
      }
    }
  }
}

/** What an agent types where a customer has no e-mail address: `noemail@noemail.com`. */
const NOBODYS_ADDRESS =
  /^(?:n\.?a|nil|no|none|null|unknown|(?:do[-._]?)?not?[-._]?(?:address|e?-?mail|given|known|provided|reply))@|@no[-.]?e?-?mail\./i;

function isAddressUnlikely(address: unknown): boolean {
  const { country, postal_code } = fields(address);
  return isUnlikely(postal_code, country);
}

function isUnlikely(postcode: unknown, country: unknown): boolean {
  if (typeof postcode !== 'string') return false;
  const locale = LOCALES.get(country);
  return locale !== undefined && !isPostalCode(postcode, locale);
}

const { isPostalCode, isPostalCodeLocales } = validator;
const LOCALES = new Map<unknown, validator.PostalCodeLocale>(isPostalCodeLocales.map((locale) => [locale, locale]));

const NONE: Fields = {};
const NO_LIST: readonly Fields[] = [];
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const fields = (value: unknown): Fields => (isFields(value) ? value : NONE);

/** The items of a list; what is no object has no fields. */
function list(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) return NO_LIST;
  return value.every(isFields) ? value : value.map(fields);
}
