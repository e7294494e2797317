import { DomainError } from '../errors.ts';

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
