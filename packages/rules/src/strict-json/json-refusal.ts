import type { JsonCode } from '@causeway/contracts';

/** Thrown where a text is not sane JSON; its message never repeats what the text holds. */
export class JsonRefusal extends Error {
  override readonly name = 'JsonRefusal';
  readonly code: JsonCode;
  /** Dotted path of the field to blame; undefined where it is the text as a whole. */
  readonly attr: string | undefined;

  constructor(code: JsonCode, detail: string, attr?: string) {
    super(detail);
    this.code = code;
    this.attr = attr;
  }
}
