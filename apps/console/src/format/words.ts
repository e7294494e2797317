import { ERROR_CODES, FIELD_CODES, REMARKS } from '@causeway/contracts/codes';

/** `invalid_phone_number` as `invalid phone number`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** `invalid phone number` as `Invalid phone number`. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * What a code says, and what the caller does next: of a refusal, or of a remark about what was accepted. Codes of other
 * versions have their own words alone.
 */
export function meaningOf(code: string, isRefusal = true): { when: string; remedy?: string } {
  if (!isRefusal && Object.hasOwn(REMARKS, code)) return REMARKS[code as keyof typeof REMARKS];
  if (Object.hasOwn(FIELD_CODES, code)) return { when: FIELD_CODES[code as keyof typeof FIELD_CODES] };
  if (Object.hasOwn(ERROR_CODES, code)) return ERROR_CODES[code as keyof typeof ERROR_CODES];
  return { when: words(code) };
}

/** A value of an audit event's detail, as a person says it. */
export function valueInWords(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
