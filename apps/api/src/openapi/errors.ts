import { ERROR_CODES, type ErrorCode } from '@causeway/contracts';
import type { oas31 } from 'zod-openapi';
import type { FileRoute } from '../bulk/file-routes.ts';
import type { ProcedureMeta } from '../procedures/procedure.ts';
import type { Route } from '../rest/routes.ts';
import { headers, json } from './components.ts';
import { errorExample, type Refusals } from './examples.ts';
import { schemaReference } from './schemas.ts';

/** Errors that any request can get, from its address and its token to our own failures. */
const EVERY_REQUEST: ErrorCode[] = [
  'not_authenticated',
  'authentication_failed',
  'token_expired',
  'method_not_allowed',
  'internal_error',
  'service_unavailable',
];

/** Refusals of a body by the gate and by `parseStrictJson`. */
const EVERY_BODY: ErrorCode[] = [
  'invalid_json',
  'not_an_object',
  'number_too_precise',
  'duplicate_key',
  'forbidden_key',
  'too_deep',
  'too_many_values',
  'too_many_keys',
  'invalid_utf8',
  'nul_character',
  'lone_surrogate',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
];

/** Refusals of a POST with an Idempotency-Key. */
const EVERY_KEY: ErrorCode[] = ['idempotency_key_in_progress', 'idempotency_key_reused'];

const EVERYWHERE = [...EVERY_REQUEST, ...EVERY_BODY, ...EVERY_KEY];

/** Responses that all operations share, by status: their names in the document, and their descriptions. */
const SHARED: Record<number, { name: string; description: string; headers: Parameters<typeof headers> }> = {
  401: {
    name: 'Unauthorized',
    description: 'No token, or an invalid one. The body was not read.',
    headers: ['WWW-Authenticate'],
  },
  405: { name: 'MethodNotAllowed', description: 'The path does not support this method.', headers: ['Allow'] },
  408: { name: 'RequestTimeout', description: 'The body did not arrive in time. Send the request again.', headers: [] },
  409: {
    name: 'IdempotencyKeyInProgress',
    description: 'The first request with this key is still in flight. Wait, then send the same request again.',
    headers: ['Retry-After', 'Undocumented-Fields'],
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body is too large, or comes in too many small chunks.',
    headers: [],
  },
  415: { name: 'UnsupportedMediaType', description: 'The body is not plain JSON.', headers: [] },
  422: {
    name: 'IdempotencyKeyReused',
    description: 'The key was used for a different request.',
    headers: ['Undocumented-Fields'],
  },
  500: {
    name: 'InternalError',
    description: 'A failure of our service. The request may have taken effect: repeat it as the guide says.',
    headers: ['Undocumented-Fields'],
  },
  503: {
    name: 'ServiceUnavailable',
    description:
      'The service cannot work at the moment. The request may have taken effect: wait, then repeat it as the guide says.',
    headers: ['Retry-After', 'Undocumented-Fields'],
  },
};

/** Responses of single operations, by status. */
const OWN: Record<number, { description: string; headers: Parameters<typeof headers> }> = {
  400: { description: 'Refused: nothing has changed.', headers: ['Undocumented-Fields'] },
  404: { description: 'Not found, or not yours.', headers: ['Undocumented-Fields'] },
  409: { description: 'Not possible now: nothing has changed.', headers: ['Undocumented-Fields'] },
  429: {
    description: 'Too many concurrent requests. Wait, then send the same request again.',
    headers: ['Retry-After', 'Undocumented-Fields'],
  },
  500: {
    description: 'A failure that may be temporary. Send the same request again.',
    headers: ['Undocumented-Fields'],
  },
};

/** Codes whose body has more fields than ErrorBody. */
const BODIES: Partial<Record<ErrorCode, string>> = {
  account_import_process_already_imported: 'AlreadyImportedErrorBody',
  dry_run_rolled_back: 'DryRunErrorBody',
  transaction_outside_open_statement_period: 'TransactionImportErrorBody',
};

/** What the errors of a route depend on. */
export type DocumentedRoute = Pick<Route, 'segments'> & { method: string; meta: ProcedureMeta };

export function documentedFileRoute({ method, segments, errors }: FileRoute): DocumentedRoute {
  return { method, segments, meta: { errors } };
}

/** The codes that an operation can answer with, by status. */
export function errorCodesOf({ method, segments, meta }: DocumentedRoute): Map<number, ErrorCode[]> {
  const own = meta.errors ?? [];
  const codes = new Set<ErrorCode>([
    ...(own.includes('account_failed_validation') ? (['account_failed_validation'] as const) : []),
    'request_failed_validation',
    ...own,
    ...(segments.some((segment) => segment.startsWith('{')) ? (['not_found'] as const) : []),
    ...(method === 'POST' ? EVERY_BODY : []),
    ...(method === 'POST' && !meta.ignoresIdempotencyKey ? EVERY_KEY : []),
    ...EVERY_REQUEST,
  ]);
  const statusOf = (code: ErrorCode): number => (meta.notFound?.includes(code) ? 404 : ERROR_CODES[code].status);
  return Map.groupBy(codes, statusOf);
}

/** Every refusal and failure of an operation: its codes with an example and a description each (behaviour 7.2). */
export function errorResponses(route: DocumentedRoute, refusals?: Refusals): oas31.ResponsesObject {
  const byStatus = [...errorCodesOf(route)].sort(([one], [other]) => one - other);
  return Object.fromEntries(
    byStatus.map(([status, codes]) => {
      const shared = SHARED[status];
      const isShared = shared !== undefined && codes.every(isEverywhere);
      const response = isShared
        ? { $ref: `#/components/responses/${shared.name}` }
        : ownResponse(status, codes, refusals);
      return [String(status), response];
    }),
  );
}

export function sharedResponses(): Record<string, oas31.ResponseObject> {
  return Object.fromEntries(
    Object.entries(SHARED).map(([status, shared]) => {
      const codes = EVERYWHERE.filter((code) => ERROR_CODES[code].status === Number(status));
      const response = {
        description: [shared.description, ...codes.map(describe)].join('\n'),
        headers: headers(...shared.headers),
        content: json(schemaReference('ErrorBody'), examplesOf(codes)),
      };
      return [shared.name, response];
    }),
  );
}

/** The examples of the codes that all operations share. */
export function sharedErrorExamples(): Record<string, oas31.ExampleObject> {
  return Object.fromEntries(EVERYWHERE.map((code) => [code, exampleOf(code)]));
}

function ownResponse(status: number, codes: ErrorCode[], refusals: Refusals | undefined): oas31.ResponseObject {
  const { description, headers: names } = OWN[status] ?? { description: 'Refused.', headers: [] };
  const bodies = codes.flatMap((code) => BODIES[code] ?? []).map(schemaReference);
  const general = schemaReference('ErrorBody');
  return {
    description: [description, ...codes.filter((code) => !isOfBody(code)).map(describe), ...ofBody(codes)].join('\n'),
    headers: headers(...names),
    content: json(bodies.length === 0 ? general : { anyOf: [...bodies, general] }, examplesOf(codes, refusals)),
  };
}

function examplesOf(codes: ErrorCode[], refusals?: Refusals): oas31.MediaTypeObject['examples'] & object {
  return Object.fromEntries(
    codes.map((code) => [
      code,
      isEverywhere(code) ? { $ref: `#/components/examples/${code}` } : exampleOf(code, refusals),
    ]),
  );
}

function exampleOf(code: ErrorCode, refusals?: Refusals): oas31.ExampleObject {
  return { summary: code, description: ERROR_CODES[code].when, value: errorExample(code, refusals) };
}

function isEverywhere(code: ErrorCode): boolean {
  return EVERYWHERE.includes(code);
}

const isOfBody = (code: ErrorCode) => EVERY_BODY.includes(code);

function ofBody(codes: ErrorCode[]): string[] {
  const names = codes.filter(isOfBody).map((code) => `\`${code}\``);
  return names.length === 0 ? [] : [`- The body cannot be read as a JSON object: ${names.join(', ')}.`];
}

function describe(code: ErrorCode): string {
  return `- \`${code}\`: ${ERROR_CODES[code].when}`;
}
