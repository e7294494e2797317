import type { FieldError, WireCode } from '@causeway/contracts';

export interface WireRefusalOptions {
  /** Dotted path of the only field at fault; `errors` then has that field with the refusal's own code. */
  attr?: string;
  /** The fields at fault, if there are several or their codes differ from the refusal's. */
  errors?: FieldError[];
  cause?: unknown;
}

/**
 * A refusal by the HTTP interface itself, because of the caller, the address, the form or the load. A rule of the
 * domain refuses with a `DomainError`; neither can have the other's codes.
 */
export class WireRefusal extends Error {
  override readonly name = 'WireRefusal';
  readonly code: WireCode;
  readonly errors: FieldError[];

  constructor(code: WireCode, detail: string, options: WireRefusalOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.errors = options.errors ?? (options.attr === undefined ? [] : [{ detail, code, attr: options.attr }]);
  }
}
