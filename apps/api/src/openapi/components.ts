import type { oas31 } from 'zod-openapi';

/** The meaning of response headers. A required header is on every response that lists it. */
export const HEADERS = {
  'X-Request-Id': {
    description:
      'The id of the request in our log; quote it when you ask about a request. It is the one that your request sends ' +
      'in a header of this name, if that is 1 to 128 characters of `A-Z a-z 0-9 . _ -`; otherwise a new one.',
    required: true,
    schema: { type: 'string' },
    example: '5f0a3c1e-7d0b-4d55-9c39-0f6d7d1f0a52',
  },
  'Undocumented-Fields': {
    description:
      'The dotted paths of the fields and query parameters that you sent and that are not documented, separated by a ' +
      'comma and a space. In a list `*` stands for every index, and `;count=` says how often the field occurs. They were ' +
      'ignored, or refused if the import supplier is configured so. Absent where there are none. If there are too many, ' +
      'the last entry is `...` with the number of those that are not named (without it if there are even more). ' +
      'Characters that a token of a header cannot have are percent-encoded.',
    schema: { type: 'string' },
    example: 'customers.*.nickname;count=2, foo',
  },
  Remarks: {
    description:
      'What is doubtful about the data that you sent, and was accepted: the code of each remark, `;field=` with its dotted ' +
      'path, in which `*` stands for every index, and `;count=`, separated by a comma and a space. Absent where nothing ' +
      'is. Of too many the last entry is `...` with the number of the others.',
    schema: { type: 'string' },
    example: 'unlikely_meter_point;field=supply_addresses.*.meter_points.*.identifier;count=1',
  },
  Link: {
    description:
      'The next page, as a relative address: `<...>; rel="next"`. Only if the request had a `limit` and there are more ' +
      'records: absent on the last page. A page that is not full may have one.',
    schema: { type: 'string' },
    example: '</v1/data-import/all-account-import-processes/NORTHWIND-2026/?limit=2&after=NW-0001483>; rel="next"',
  },
  'Retry-After': {
    description: 'How many seconds to wait before you send the same request again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'Retry-After-Empty-Page': {
    description:
      'Only on a page without records that has a `Link`: how many seconds to wait before you follow it. Another call is ' +
      'about to commit what comes next.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'The scheme of the `Authorization` header: always `Token`.',
    required: true,
    schema: { type: 'string' },
    example: 'Token',
  },
  Allow: {
    description: 'The methods that the path supports.',
    required: true,
    schema: { type: 'string' },
    example: 'POST, OPTIONS',
  },
} satisfies Record<string, oas31.HeaderObject>;

/** What every POST of the data import takes beside its body. */
export const PARAMETERS = {
  IdempotencyKey: {
    in: 'header',
    name: 'Idempotency-Key',
    description:
      'A key of your own for this one request, 1 to 255 visible ASCII characters, best a new UUID: the same request with ' +
      'the same key gets the first answer again, status and body. Kept for 24 hours, for your organisation. ' +
      'Answers with 429, 500 and 503 are not kept, nor is a refusal of invalid input, because it may contain data that you ' +
      'sent: a repeat is processed again.',
    // No example: a page or a client that sends it as it is would send the same key with every request.
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  IgnoredIdempotencyKey: {
    in: 'header',
    name: 'Idempotency-Key',
    description: 'Ignored: nothing from the request is kept, and sending it again is harmless.',
    deprecated: true,
    schema: { type: 'string' },
  },
} satisfies Record<string, oas31.ParameterObject>;

const headerReference = (name: string): oas31.ReferenceObject => ({ $ref: `#/components/headers/${name}` });

/** References to headers, as a response lists them; `X-Request-Id` is on every one. */
export const headers = (...names: (keyof typeof HEADERS)[]): Record<string, oas31.ReferenceObject> =>
  Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, headerReference(name)]));

/** The header of a page that is empty while there are more. */
export const emptyPageHeaders = () => ({ 'Retry-After': headerReference('Retry-After-Empty-Page') });

/** The content of a JSON body. */
export function json(
  schema: oas31.SchemaObject | oas31.ReferenceObject,
  examples: Record<string, oas31.ExampleObject | oas31.ReferenceObject>,
): oas31.ContentObject {
  return { 'application/json': { schema, examples } };
}
