import { DomainError } from './errors.ts';

/** A vendor's details of an instruction, as stored with it: plain JSON, no full card or account number. */
export type PaymentInstructionDetails = Record<string, string | number>;

/** An upstream payment vendor (behaviour 4.7). */
export interface PaymentVendor {
  /** The name that a payment instruction has in `vendor`. */
  readonly name: string;
  /**
   * Verifies that the vendor has a usable instruction under `reference`, of `type`, and fetches its details.
   * Answers well within 10 seconds. Throws `VendorRejected` or `VendorUnavailable`, and nothing else: both are
   * DomainErrors with a code, a sentence for the caller and a cause for the log, so a use case lets them pass.
   */
  fetchInstruction(reference: string, type: string): Promise<PaymentInstructionDetails>;
}

/**
 * The same request will never succeed (behaviour 4.7): `payment_vendor_rejected`. `problem` is for the log only; it
 * contains no secret and nothing from the vendor's body.
 */
export class VendorRejected extends DomainError {
  readonly severity = 'info';

  constructor(detail: string, problem: string, attr = 'reference') {
    super('payment_vendor_rejected', detail, { attr, cause: new Error(problem) });
  }

  /** The same refusal of an instruction that is part of a payload. */
  at(path: string): VendorRejected {
    const { message: problem } = this.cause as Error;
    return new VendorRejected(this.message, problem, `${path}.${this.errors[0]?.attr}`);
  }
}

/**
 * The same request may succeed later (behaviour 4.7): `payment_vendor_unavailable`. `severity` is the log level:
 * `error` if our own credentials are at fault and an operator has to act.
 */
export class VendorUnavailable extends DomainError {
  readonly severity: 'warn' | 'error';

  constructor(detail: string, problem: string, severity: 'warn' | 'error' = 'warn') {
    super('payment_vendor_unavailable', detail, { cause: new Error(problem) });
    this.severity = severity;
  }
}

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
