import type { DomainCode, FieldError } from '@causeway/contracts';

export interface DomainErrorOptions {
  /** Dotted path of the one field to blame; `errors` then holds that field with the error's own code. */
  attr?: string;
  /** The fields to blame, where there are several or their codes differ from the error's. */
  errors?: FieldError[];
  /** What behaviour 7.2 adds to the body, such as the number of an account already imported. */
  extra?: Record<string, unknown>;
  cause?: unknown;
}

/** A refusal by a rule of the accounts, which the caller is told about (behaviour 7.3). It knows no HTTP, nor its codes. */
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
