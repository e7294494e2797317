import { ERROR_CODES, type ErrorCode } from '@causeway/contracts';
import type { oas31 } from 'zod-openapi';
import type { FileRoute } from '../bulk/file-routes.ts';
import type { ProcedureMeta } from '../procedures/meta.ts';
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
const EVERY_KEY: ErrorCode[] = ['idempotency_key_in_progress', 'account_undone', 'idempotency_key_reused'];

const EVERYWHERE = [...EVERY_REQUEST, ...EVERY_BODY, ...EVERY_KEY];

type Header = Parameters<typeof headers>[number];

/** Responses that all operations share, by status: their names in the document, their descriptions and headers. */
const SHARED: Record<number, [name: string, description: string, ...headers: Header[]]> = {
  401: ['Unauthorized', 'No token, or an invalid one. The body was not read.', 'WWW-Authenticate'],
  405: ['MethodNotAllowed', 'The path does not support this method.', 'Allow'],
  408: ['RequestTimeout', 'The body did not arrive in time. Send the request again.'],
  409: [
    'IdempotencyKeyConflict',
    'The first request with this key is still in flight: wait as `Retry-After` says, then send it again. Or what it has done was undone since.',
    'Undocumented-Fields',
  ],
  413: ['PayloadTooLarge', 'The body is too large, or comes in too many small chunks.'],
  415: ['UnsupportedMediaType', 'The body is not plain JSON.'],
  422: ['IdempotencyKeyReused', 'The key was used for a different request.', 'Undocumented-Fields'],
  500: [
    'InternalError',
    'A failure of our service. The request may have taken effect: repeat it as the guide says.',
    'Undocumented-Fields',
  ],
  503: [
    'ServiceUnavailable',
    'The service cannot work now. The request may have taken effect: wait, then repeat it as the guide says.',
    ...(['Retry-After', 'Undocumented-Fields'] as const),
  ],
};

/** Responses of single operations, by status. */
const OWN: Record<number, [description: string, ...headers: Header[]]> = {
  400: ['Refused: nothing has changed.', 'Undocumented-Fields'],
  404: ['Not found, or not yours.', 'Undocumented-Fields'],
  409: ['Not possible now: nothing has changed.', 'Undocumented-Fields'],
  429: ['Too many concurrent requests. Wait, then send the same request again.', 'Retry-After', 'Undocumented-Fields'],
  500: ['A failure that may be temporary. Send the same request again.', 'Undocumented-Fields'],
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
      const [name] = codes.every(isEverywhere) ? (SHARED[status] ?? []) : [];
      return [status, name ? { $ref: `#/components/responses/${name}` } : ownResponse(status, codes, refusals)];
    }),
  );
}

export function sharedResponses(): Record<string, oas31.ResponseObject> {
  return Object.fromEntries(
    Object.entries(SHARED).map(([status, [name, description, ...own]]) => {
      const codes = EVERYWHERE.filter((code) => ERROR_CODES[code].status === Number(status));
      const response = {
        description: [description, ...codes.map(describe)].join('\n'),
        headers: headers(...own),
        content: json(schemaReference('ErrorBody'), examplesOf(codes)),
      };
      return [name, response];
    }),
  );
}

/** The examples of the codes that all operations share. */
export function sharedErrorExamples(): Record<string, oas31.ExampleObject> {
  return Object.fromEntries(EVERYWHERE.map((code) => [code, exampleOf(code)]));
}

function ownResponse(status: number, codes: ErrorCode[], refusals: Refusals | undefined): oas31.ResponseObject {
  const [description, ...own] = OWN[status] ?? ['Refused.'];
  const bodies = codes.flatMap((code) => BODIES[code] ?? []).map(schemaReference);
  const general = schemaReference('ErrorBody');
  const [ofBody, others] = [codes.filter(isOfBody), codes.filter((code) => !isOfBody(code))];
  const unreadable = `- The body cannot be read as a JSON object: ${ofBody.map((code) => `\`${code}\``).join(', ')}.`;
  return {
    description: [description, ...others.map(describe), ...(ofBody.length > 0 ? [unreadable] : [])].join('\n'),
    headers: headers(...own),
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

const isEverywhere = (code: ErrorCode) => EVERYWHERE.includes(code);
const isOfBody = (code: ErrorCode) => EVERY_BODY.includes(code);
const describe = (code: ErrorCode) => `- \`${code}\`: ${ERROR_CODES[code].when}`;
