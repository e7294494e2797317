import { type CountryCode, isPossiblePhoneNumber } from 'libphonenumber-js';
import type { z } from 'zod';
import type { AccountPayload } from '../shared/payloads.ts';
import { Refusal } from '../shared/refusal.ts';

interface FieldError {
  detail: string;
  code: string;
  attr: string;
}

export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown, code = 'request_failed_validation') {
  const { success, data, error } = schema.safeParse(input);
  if (success) return data;
  const errors = error.issues.map((issue) => ({
    detail: issue.message,
    code: issue.code,
    attr: issue.path.join('.'),
  }));
  throw new Refusal(400, code, 'The payload failed validation.', { errors });
}

const GB_POSTCODE = /^(?:[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}|GIR ?0AA)$/i;

/** The rules that depend on the supplier's country and on today. */
export function checkAccount(payload: z.output<typeof AccountPayload>, country: string): void {
  const today = new Date().toISOString().slice(0, 10);
  const errors: FieldError[] = [];
  const refuse = (isBad: boolean, code: string, attr: string) => {
    if (isBad) errors.push({ detail: 'Is not possible.', code, attr });
  };
  const impossible = (phone: string | undefined) =>
    phone !== undefined && !isPossiblePhoneNumber(phone, country as CountryCode);
  const foreign = (code: string | undefined) => code !== undefined && country === 'GB' && !GB_POSTCODE.test(code);
  refuse((payload.last_billed_to_date ?? '') > today, 'date_in_future', 'last_billed_to_date');
  refuse(foreign(payload.billing_postcode), 'invalid_postcode', 'billing_postcode');
  for (const [index, customer] of (payload.customers ?? []).entries()) {
    refuse(impossible(customer.mobile), 'invalid_phone_number', `customers.${index}.mobile`);
    refuse(impossible(customer.landline), 'invalid_phone_number', `customers.${index}.landline`);
    refuse((customer.date_of_birth ?? '') >= today, 'date_in_future', `customers.${index}.date_of_birth`);
    for (const [place, phone] of (customer.alternative_phone_numbers ?? []).entries()) {
      const attr = `customers.${index}.alternative_phone_numbers.${place}`;
      refuse(impossible(phone), 'invalid_phone_number', attr);
    }
  }
  for (const [index, { supply_postcode }] of (payload.supply_addresses ?? []).entries()) {
    refuse(foreign(supply_postcode), 'invalid_postcode', `supply_addresses.${index}.supply_postcode`);
  }
  if (errors.length > 0) {
    throw new Refusal(400, 'account_failed_validation', 'The payload failed validation.', { errors });
  }
}
