import { type DoubtCode, isUnusualEmailAddress, type Remark } from '@causeway/contracts';
import validator from 'validator';
import { doubtOfText, mayBeDoubtful } from './doubtful-text.ts';
import { isLikelyMeterPoint } from './meter-point-form.ts';
import { remarkReadings } from './remarks-of-readings.ts';

/** A remark that a rule makes about a request. */
export type Doubt = Remark<DoubtCode>;

type Fields = Readonly<Record<string, unknown>>;

/** What is doubtful about the texts of a request, each by itself. */
export function remarksOfTexts(request: unknown): Doubt[] {
  // Paths are written only where there is something to say: nearly never.
  if (!hasDoubtfulText(request, '')) return [];
  const remarks: Doubt[] = [];
  visit(request, [], remarks);
  return remarks;
}

function hasDoubtfulText(value: unknown, field: string): boolean {
  if (typeof value === 'string') return mayBeDoubtful(value, field);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => hasDoubtfulText(item, field));
  for (const name in value) if (hasDoubtfulText((value as Fields)[name], name)) return true;
  return false;
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
export function remarksOfAccount(
  account: unknown,
  { country: supplierCountry, today }: { country: string; today: string },
): Doubt[] {
  const remarks: Doubt[] = [];
  const remark = (code: DoubtCode, attr: string) => remarks.push({ code, attr });
  const { billing_address, billing_postcode, billing_email, customers, supply_addresses } = fields(account);
  if (isUnusual(billing_email)) remark('unusual_email_address', 'billing_email');
  if (isUnlikely(billing_postcode, supplierCountry)) remark('unlikely_postcode', 'billing_postcode');
  if (isAddressUnlikely(billing_address)) remark('unlikely_postcode', 'billing_address.postal_code');
  each(customers, ({ email }, index) => {
    if (isUnusual(email)) remark('unusual_email_address', `customers.${index}.email`);
  });
  each(supply_addresses, ({ supply_address, supply_postcode, meter_points }, place) => {
    const at = `supply_addresses.${place}`;
    if (isAddressUnlikely(supply_address)) remark('unlikely_postcode', `${at}.supply_address.postal_code`);
    if (isUnlikely(supply_postcode, supplierCountry)) remark('unlikely_postcode', `${at}.supply_postcode`);
    const { country = supplierCountry } = fields(supply_address);
    each(meter_points, (point, index) => remarkPoint(point, country, `${at}.meter_points.${index}`));
  });
  return remarks;

  function remarkPoint({ identifier, mpxn, supply_type, meters }: Fields, country: unknown, path: string): void {
    const text = identifier ?? mpxn;
    if (typeof text === 'string' && !isLikelyMeterPoint(text, String(country), supply_type)) {
      remark('unlikely_meter_point', `${path}.${identifier === undefined ? 'mpxn' : 'identifier'}`);
    }
    each(meters, (meter, index) => {
      const { meter_serial_number: serial } = meter;
      const isRepeated = serial !== undefined && serialsBefore(meters, index).includes(serial);
      if (isRepeated) remark('repeated_meter_serial_number', `${path}.meters.${index}.meter_serial_number`);
      remarkReadings(meter, today, (code, attr) => remark(code, `${path}.meters.${index}.${attr}`));
    });
  }
}

const isUnusual = (email: unknown) => typeof email === 'string' && isUnusualEmailAddress(email);

function isAddressUnlikely(address: unknown): boolean {
  const { country, postal_code } = fields(address);
  return isUnlikely(postal_code, country);
}

function isUnlikely(postcode: unknown, country: unknown): boolean {
  if (typeof postcode !== 'string') return false;
  const locale = isPostalCodeLocales.find((known) => known === country);
  return locale !== undefined && !isPostalCode(postcode, locale);
}

const serialsBefore = (meters: unknown, index: number) =>
  (meters as unknown[]).slice(0, index).map((meter) => fields(meter).meter_serial_number);

const { isPostalCode, isPostalCodeLocales } = validator;

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : NONE);
const NONE: Fields = {};

function each(list: unknown, visit: (item: Fields, index: number) => void): void {
  if (Array.isArray(list)) for (let index = 0; index < list.length; index += 1) visit(fields(list[index]), index);
}
