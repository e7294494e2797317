import { LIMITS, limitText } from '../limits.ts';
import { type ErrorRow, REMEDIES } from './error-row.ts';

const OF_ACCOUNT = 'external_account_number';

/** Refusals of a body that cannot be read as a valid JSON object. */
export const JSON_ERRORS = {
  invalid_json: {
    origin: 'wire',
    status: 400,
    when: 'The body is empty or is not JSON.',
    cause: 'JSON that is assembled by hand, truncated, or begins with a byte order mark.',
    remedy: REMEDIES.correct_client,
    example: { detail: 'The request body is not valid JSON: see line 1, column 33.' },
  },
  invalid_utf8: {
    origin: 'wire',
    status: 400,
    when: 'The body is not valid UTF-8.',
    cause: 'Text in another encoding, such as Windows-1252 or Latin-1.',
    remedy: 'Convert the text to UTF-8, then send the request again.',
    example: { detail: 'The request body is not valid UTF-8.' },
  },
  nul_character: {
    origin: 'wire',
    status: 400,
    when: 'A string in the body contains the character U+0000, which cannot be stored.',
    cause: 'Padding or garbage in the exported data.',
    remedy: 'Remove the character from the data, then send the request again.',
    example: { detail: 'This value contains a NUL character.', errors: OF_ACCOUNT },
  },
  lone_surrogate: {
    origin: 'wire',
    status: 400,
    when: 'A string in the body contains half of a surrogate pair, which is not a character.',
    cause: 'Text that was truncated in the middle of a character.',
    remedy: 'Truncate text between characters, then send the request again.',
    example: {
      detail: 'This value contains half of a surrogate pair: it is not valid Unicode.',
      errors: OF_ACCOUNT,
    },
  },
  number_too_precise: {
    origin: 'wire',
    status: 400,
    when: 'A number in the body has more digits than a double can represent, or is larger than one can be, so a different number would be stored; 15 digits are always safe.',
    cause: 'An amount that was computed and not rounded.',
    remedy: 'Round amounts to two decimals, then send the request again.',
    example: {
      detail: 'This number has more digits than a double keeps: write it with 15 significant digits at most.',
      errors: 'transactions.0.amount',
    },
  },
  duplicate_key: {
    origin: 'wire',
    status: 400,
    when: 'An object in the body has the same key twice.',
    cause: 'JSON that is assembled by hand; it is ambiguous which of the two values is meant.',
    remedy: REMEDIES.correct_client,
    example: { detail: 'This key appears more than once in its object.', errors: OF_ACCOUNT },
  },
  forbidden_key: {
    origin: 'wire',
    status: 400,
    when: 'An object in the body has the key `__proto__`, or a key with a quotation mark, a backslash or a control character.',
    cause: 'An attack, data that was copied from one, or free text used as a key.',
    remedy: REMEDIES.correct_client,
    example: { detail: 'The key __proto__ is not allowed.', errors: '__proto__' },
  },
  too_deep: {
    origin: 'wire',
    status: 400,
    when: 'The body is nested more deeply than the service accepts.',
    cause: 'A mistake in the client: no documented field needs so many levels.',
    remedy: REMEDIES.correct_client,
    example: { detail: 'Objects and arrays may be nested 32 levels deep, not deeper.' },
  },
  too_many_values: {
    origin: 'wire',
    status: 400,
    when: 'The body has more keys and values than the service accepts.',
    cause: 'Too many records in one request, or a very large number of undocumented fields.',
    remedy: 'Split the list over several requests.',
    example: {
      detail: `The request body has more than ${limitText(LIMITS.json_values)} keys, values and commas: send less at once.`,
    },
  },
  too_many_keys: {
    origin: 'wire',
    status: 400,
    when: 'The objects in the body have more distinct keys than the service accepts.',
    cause: 'Ids or other data used as keys.',
    remedy: 'Send only documented fields.',
    example: { detail: `The request body has more than ${limitText(LIMITS.json_keys)} different keys.` },
  },
  not_an_object: {
    origin: 'wire',
    status: 400,
    when: 'The top level of the body must be a JSON object.',
    cause: 'A list or a bare value was sent: one account is one request.',
    remedy: REMEDIES.correct_client,
    example: { detail: 'The request body must be a JSON object, but it is an array.' },
  },
} as const satisfies Record<string, ErrorRow>;
