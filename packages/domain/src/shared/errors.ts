import type { DomainCode, FieldError } from '@causeway/contracts';

export interface DomainErrorOptions {
  /** Dotted path of the only field at fault; `errors` then has that field with the error's own code. */
  attr?: string;
  /** The fields at fault, if there are several or their codes differ from the error's. */
  errors?: FieldError[];
  /** Additional fields of the body (behaviour 7.2), such as the number of an account that was already imported. */
  extra?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * A refusal by a rule of the domain, reported to the caller (behaviour 7.3). It knows neither HTTP nor the wire's
 * codes.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: DomainCode;
  readonly errors: FieldError[];
  readonly extra: Record<string, unknown>;

  constructor(code: DomainCode, detail: string, options: DomainErrorOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.errors = options.errors ?? (options.attr === undefined ? [] : [{ detail, code, attr: options.attr }]);
    this.extra = options.extra ?? {};
  }
}

/** The refusal of a field that only the database, or the service, can tell to be wrong: `request_failed_validation`. */
export function invalidField(attr: string, detail: string, code: FieldError['code'] = 'invalid'): DomainError {
  const errors = [{ detail, code, attr }];
  return new DomainError('request_failed_validation', `The payload failed validation: ${attr}.`, { errors });
}
