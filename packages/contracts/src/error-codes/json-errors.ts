import { type ErrorRow, REMEDIES } from './error-row.ts';

const OF_ACCOUNT = 'external_account_number';

/** Refusals of a body that cannot be read as one sane JSON object. */
export const JSON_ERRORS = {
  invalid_json: {
    origin: 'wire',
    status: 400,
    when: 'The body is empty or is not JSON.',
    cause: 'JSON that is put together by hand, cut off, or begins with a byte order mark.',
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
    when: 'A string of the body contains the character U+0000, which cannot be stored.',
    cause: 'Padding or rubbish in the data of the export.',
    remedy: 'Take the character out of the data, then send the request again.',
    example: { detail: 'This value contains a NUL character.', errors: OF_ACCOUNT },
  },
  lone_surrogate: {
    origin: 'wire',
    status: 400,
    when: 'A string of the body contains half of a surrogate pair, which is not a character.',
    cause: 'A text that was cut off in the middle of a character.',
    remedy: 'Cut texts between characters, then send the request again.',
    example: {
      detail: 'This value contains half of a surrogate pair: it is not valid Unicode.',
      errors: OF_ACCOUNT,
    },
  },
  number_too_precise: {
    origin: 'wire',
    status: 400,
    when: 'A number of the body has more digits than a double keeps, so that another one would be stored; 15 are always kept.',
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
    when: 'An object of the body has the same key twice.',
    cause: 'JSON that is put together by hand; which of the two counts would be a guess.',
    remedy: REMEDIES.correct_client,
    example: { detail: 'This key appears more than once in its object.', errors: OF_ACCOUNT },
  },
  forbidden_key: {
    origin: 'wire',
    status: 400,
    when: 'An object of the body has the key `__proto__`.',
    cause: 'An attack, or data that was taken over from one.',
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
    cause: 'Too many records in one request, or undocumented fields without end.',
    remedy: 'Split the list over several requests.',
    example: { detail: 'The request body has more than 1,000,000 keys, values and commas: send less at once.' },
  },
  too_many_keys: {
    origin: 'wire',
    status: 400,
    when: 'The objects of the body have more different keys than the service accepts.',
    cause: 'Ids or other data in the place of keys.',
    remedy: 'Send documented fields only.',
    example: { detail: 'The request body has more than 20,000 different keys.' },
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
