import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type DomainCode, ERROR_CODES, ErrorBody, type ErrorCode, type WireCode } from '@causeway/contracts';
import { DomainError, VendorUnavailable } from '@causeway/domain';
import { initTRPC, TRPCError } from '@trpc/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorBodyOf, trpcErrorShape } from '../../src/answers/error-bodies.ts';
import { WireRefusal } from '../../src/http/wire-refusal.ts';
import { appRouter } from '../../src/procedures/router.ts';
import { createAnswer } from '../../src/rest/answer-route.ts';
import { routesOf } from '../../src/rest/routes.ts';

const codes = Object.keys(ERROR_CODES) as ErrorCode[];

/** The statuses of codes that no operation of interface.lock has, which has all others. */
const STATUSES: Record<number, ErrorCode[]> = {
  403: ['permission_denied', 'person_required'],
  404: [
    'customer_email_does_not_exist',
    'email_suppression_does_not_exist',
    'organisation_does_not_exist',
    'api_key_does_not_exist',
    'operations_team_does_not_exist',
  ],
  409: [
    'customer_emails_not_possible',
    'customer_email_state_not_allowed',
    'organisation_already_exists',
    'last_staff_api_key',
    'account_count_differs',
    'import_supplier_already_exists',
    'import_supplier_status_not_allowed',
    'import_supplier_not_ready',
    'operations_team_already_exists',
  ],
};
const statusOf = (code: ErrorCode) => Number(Object.entries(STATUSES).find(([, of]) => of.includes(code))?.[0]);

/** The refusal with this code, of the type that may have it. */
function refusalOf(code: ErrorCode, detail: string): DomainError | WireRefusal {
  return ERROR_CODES[code].origin === 'wire'
    ? new WireRefusal(code as WireCode, detail)
    : new DomainError(code as DomainCode, detail);
}

/** What tRPC throws when a procedure does. */
async function thrownByProcedure(work: () => unknown): Promise<unknown> {
  const t = initTRPC.create();
  const router = t.router({ fail: t.procedure.query(work) });
  return t
    .createCallerFactory(router)({})
    .fail()
    .catch((error: unknown) => error);
}

describe('errorBodyOf', () => {
  test.each(codes)(
    '7.1 gives %s its status, the one error body, and asks for a token or says when to come back',
    (code) => {
      const { status, headers, body, log } = errorBodyOf(refusalOf(code, 'A sentence.'));
      expect(status).toBe(statusOf(code) || ERROR_CODES[code].status);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(ErrorBody.strict().parse(body)).toEqual({
        detail: 'A sentence.',
        code,
        errors: [],
        documentation_url: `/docs/errors#${code}`,
      });
      expect(headers['WWW-Authenticate']).toBe(status === 401 ? 'Token' : undefined);
      if (status === 429 || status === 503) expect(Number(headers['Retry-After'])).toBeGreaterThan(0);
      // The refusal of what is too much comes in thousands: its request's line says enough.
      expect(log).toBe(status < 500 || code === 'service_unavailable' ? undefined : 'error');
    },
  );

  test('7.3.7 a rule of the accounts cannot refuse with a code of HTTP, nor HTTP with one of the rules', () => {
    // @ts-expect-error a code of the wire
    const ofDomain = new DomainError('method_not_allowed', 'No.');
    // @ts-expect-error a code of the domain
    const ofWire = new WireRefusal('account_not_found', 'No.');
    expect([ofDomain.code, ofWire.code].map((code) => ERROR_CODES[code].origin)).toEqual(['wire', undefined]);
    for (const Either of [DomainError, WireRefusal]) {
      expect(errorBodyOf(new Either('service_unavailable', 'Later.'))).toMatchObject({
        ...{ status: 503, headers: { 'Retry-After': expect.anything() } },
      });
    }
  });

  test.each([
    ['refused', Object.assign(new AggregateError([new Error('x')]), { code: 'ECONNREFUSED' })],
    ['cut', new Error('Connection terminated unexpectedly')],
    ['shut down', Object.assign(new Error('terminating connection'), { code: '57P01' })],
    ['no connection free in time', new Error('timeout exceeded when trying to connect')],
    ['statement timeout', Object.assign(new Error('canceling statement'), { code: '57014' })],
    ['deadlock', Object.assign(new Error('deadlock detected'), { code: '40P01' })],
  ])('7.1 answers 503 when the database cannot answer: %s', async (_name, error) => {
    for (const thrown of [error, await thrownByProcedure(() => Promise.reject(error))]) {
      expect(errorBodyOf(thrown)).toMatchObject({
        status: 503,
        body: { code: 'service_unavailable', errors: [] },
        log: 'error',
      });
    }
  });

  test.each([
    ['an error of PostgreSQL', Object.assign(new Error('relation "accounts" does not exist'), { code: '42P01' })],
    ['a bug', new TypeError("Cannot read properties of undefined (reading 'secret')")],
    ['a text', 'secret'],
    ['nothing', undefined],
    [
      'output that is not what the contract says',
      new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: new z.ZodError([]) }),
    ],
  ])('7.2 says nothing of %s but that it happened', async (_name, error) => {
    for (const thrown of [error, await thrownByProcedure(() => Promise.reject(error))]) {
      const answer = errorBodyOf(thrown);
      expect(answer).toEqual({
        status: 500,
        headers: {},
        body: {
          detail: expect.stringContaining('X-Request-Id'),
          code: 'internal_error',
          errors: [],
          documentation_url: '/docs/errors#internal_error',
        },
        log: 'error',
      });
    }
  });

  test('7.3 finds the refusal inside the error of tRPC', async () => {
    const refusal = new DomainError('account_not_found', 'No account.');
    const thrown = await thrownByProcedure(() => Promise.reject(refusal));
    expect(thrown).toBeInstanceOf(TRPCError);
    expect(errorBodyOf(thrown)).toEqual(errorBodyOf(refusal));
    const asNotFound = new TRPCError({ code: 'NOT_FOUND', cause: refusal });
    expect(errorBodyOf(asNotFound)).toEqual(errorBodyOf(refusal));
  });

  test.each([
    ['NOT_FOUND', 404, 'not_found'],
    ['METHOD_NOT_SUPPORTED', 405, 'method_not_allowed'],
    ['UNSUPPORTED_MEDIA_TYPE', 415, 'unsupported_media_type'],
    ['PAYLOAD_TOO_LARGE', 413, 'payload_too_large'],
    ['PARSE_ERROR', 400, 'invalid_json'],
    ['BAD_REQUEST', 400, 'request_failed_validation'],
  ] as const)('7.3 puts what tRPC refuses by itself, %s, in words of our own', (trpcCode, status, code) => {
    const { body, ...answer } = errorBodyOf(new TRPCError({ code: trpcCode, message: 'words of the library' }));
    expect(answer).toEqual({ status, headers: {} });
    const documentation_url = `/docs/errors#${code}`;
    expect(body).toEqual({ detail: expect.not.stringContaining('library'), code, errors: [], documentation_url });
  });

  test('4.7 logs a passing failure of a payment vendor as a warning, our own credentials as an error', () => {
    const passing = errorBodyOf(new VendorUnavailable('Later.', 'status 500'));
    expect(passing).toMatchObject({ status: 500, body: { code: 'payment_vendor_unavailable' }, log: 'warn' });
    expect(errorBodyOf(new VendorUnavailable('Later.', 'status 401', 'error'))).toMatchObject({
      status: 500,
      log: 'error',
    });
  });
});

describe('what was not begun', () => {
  const busy = new WireRefusal('service_unavailable', 'Busy.');

  test.each([
    ['overload', busy, false],
    ['overload within a batch', new TRPCError({ code: 'SERVICE_UNAVAILABLE', cause: busy }), false],
    ['a database that may have worked', new DomainError('service_unavailable', 'Too much.'), undefined],
    ['any other refusal', new WireRefusal('not_found', 'Nothing.'), undefined],
  ])('10.5.7 is told of %s', (_, error, begun) => {
    expect(errorBodyOf(error).begun).toBe(begun);
    expect(trpcErrorShape(errorBodyOf(error)).data.begun).toBe(begun);
  });
});

test.each(['wire', 'domain'])('7.4 overload is no error in the log, bare or inside an error of tRPC: %s', (origin) => {
  const busy =
    origin === 'wire'
      ? new WireRefusal('service_unavailable', 'Busy.')
      : new DomainError('service_unavailable', 'Busy.');
  expect(errorBodyOf(busy).log).toBeUndefined();
  expect(errorBodyOf(new TRPCError({ code: 'SERVICE_UNAVAILABLE', cause: busy })).log).toBeUndefined();
});

const route = routesOf(appRouter).find(({ procedurePath }) => procedurePath === 'dataImport.listProblems');

test('7.2 what a reply cannot be sent as is an error of ours, and not the text of a library with the status of a success', async () => {
  if (route === undefined) throw new Error('There is no such route');
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'HEAD', url: '/v1/data-import/problems/HV/?x=1' });
  const response = new ServerResponse(request);
  const reply = { status: 200, headers: {}, body: [1n] };
  await expect(createAnswer(route)(request, response, async () => reply)).rejects.toThrow(TypeError);
  expect([response.headersSent, request.method, request.url]).toEqual([
    false,
    'HEAD',
    '/v1/data-import/problems/HV/?x=1',
  ]);
});
