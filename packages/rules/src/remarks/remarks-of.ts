import { type DoubtCode, isUnusualEmailAddress, type Remark } from '@causeway/contracts';
import validator from 'validator';
import { doubtOfText, mayBeDoubtful } from './doubtful-text.ts';
import { isLikelyMeterPoint } from './meter-point-form.ts';

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

/** What is doubtful about an account: its meter points and postcodes, judging by their country, and e-mail addresses. */
export function remarksOfAccount(account: unknown, supplierCountry: string): Doubt[] {
  const remarks: Doubt[] = [];
  const { billing_address, billing_postcode, billing_email, customers, supply_addresses } = fields(account);
  remarkEmail(billing_email, 'billing_email');
  for (const [index, { email }] of list(customers)) remarkEmail(email, `customers.${index}.email`);
  remarkAddress(billing_address, 'billing_address');
  remarkPostcode(billing_postcode, supplierCountry, 'billing_postcode');
  for (const [place, address] of list(supply_addresses)) {
    const at = `supply_addresses.${place}`;
    const { supply_address, supply_postcode, meter_points } = address;
    const { country = supplierCountry } = fields(supply_address);
    remarkAddress(supply_address, `${at}.supply_address`);
    remarkPostcode(supply_postcode, supplierCountry, `${at}.supply_postcode`);
    for (const [index, point] of list(meter_points)) remarkPoint(point, country, `${at}.meter_points.${index}`);
  }
  return remarks;

  function remarkEmail(email: unknown, attr: string): void {
    if (typeof email === 'string' && isUnusualEmailAddress(email))
      remarks.push({ code: 'unusual_email_address', attr });
  }

  function remarkAddress(address: unknown, path: string): void {
    const { country, postal_code } = fields(address);
    remarkPostcode(postal_code, country, `${path}.postal_code`);
  }

  function remarkPostcode(postcode: unknown, country: unknown, attr: string): void {
    const locale = isPostalCodeLocales.find((known) => known === country);
    if (typeof postcode !== 'string' || locale === undefined || isPostalCode(postcode, locale)) return;
    remarks.push({ code: 'unlikely_postcode', attr });
  }

  function remarkPoint({ identifier, mpxn, supply_type, meters }: Fields, country: unknown, path: string): void {
    const [name, text] = identifier === undefined ? ['mpxn', mpxn] : ['identifier', identifier];
    if (typeof text === 'string' && !isLikelyMeterPoint(text, String(country), supply_type)) {
      remarks.push({ code: 'unlikely_meter_point', attr: `${path}.${name}` });
    }
    const serials = new Set<unknown>();
    for (const [meter, { meter_serial_number: serial }] of list(meters)) {
      const attr = `${path}.meters.${meter}.meter_serial_number`;
      if (serial !== undefined && serials.has(serial)) remarks.push({ code: 'repeated_meter_serial_number', attr });
      serials.add(serial);
    }
  }
}

const { isPostalCode, isPostalCodeLocales } = validator;

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const list = (value: unknown) => (Array.isArray(value) ? value.map(fields).entries() : [].entries());
