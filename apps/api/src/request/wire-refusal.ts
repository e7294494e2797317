import type { FieldError, WireCode } from '@causeway/contracts';

export interface WireRefusalOptions {
  /** Dotted path of the one field to blame; `errors` then holds that field with the refusal's own code. */
  attr?: string;
  /** The fields to blame, where there are several or their codes differ from the refusal's. */
  errors?: FieldError[];
  cause?: unknown;
}

/**
 * A refusal of the HTTP interface itself: of who sends a request, where to, how and how much at once. What a rule of the
 * accounts refuses is a `DomainError`; neither can have the other's codes.
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
