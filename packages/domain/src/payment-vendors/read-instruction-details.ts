import type { PaymentInstructionDetails } from './payment-vendor.ts';

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// At most four digits, so that no card or account number is stored as a brand or a bank.
const shortText = /^(?!(?:\D*\d){5})[\p{L}\p{M}\p{N} .,&'()/_-]{1,64}$/u;

const fields: Record<string, (value: unknown) => value is string | number> = {
  brand: textLike(shortText),
  bank_name: textLike(shortText),
  funding: textLike(shortText),
  last4: textLike(/^[0-9A-Za-z]{4}$/),
  country: textLike(/^[A-Z]{2}$/),
  exp_month: wholeNumber(1, 12),
  exp_year: wholeNumber(2000, 2200),
};

/**
 * Picks the only parts of a vendor's answer that may be stored (behaviour 4.7): brand, bank_name, funding, last4,
 * country (ISO 3166-1 alpha-2), exp_month (1 to 12), exp_year (four digits). Each may be missing or null. Undefined if
 * one of them is present but invalid.
 */
export function readInstructionDetails(description: JsonObject): PaymentInstructionDetails | undefined {
  const details: PaymentInstructionDetails = {};
  for (const [field, isSane] of Object.entries(fields)) {
    const value = description[field];
    if (value === undefined || value === null) continue;
    if (!isSane(value)) return undefined;
    details[field] = value;
  }
  return details;
}

function textLike(pattern: RegExp) {
  return (value: unknown): value is string => typeof value === 'string' && pattern.test(value);
}

function wholeNumber(least: number, most: number) {
  return (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}
