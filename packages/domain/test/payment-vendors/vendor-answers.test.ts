import { inspect } from 'node:util';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { STRIPE_BASE_URL, stripeVendor } from '../../src/payment-vendors/configure-payment-vendors.ts';
import { httpVendor } from '../../src/payment-vendors/http-vendor.ts';
import { card, failureOf, secret, testedVendors } from './vendors.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

describe('http vendor', () => {
  const vendor = httpVendor({ name: 'ACME', baseUrl: 'http://acme.example', secret });
  const answerWith = (changes: Record<string, unknown>) =>
    server.use(
      http.get('http://acme.example/payment-instructions/:reference', () =>
        HttpResponse.json({ reference: 'r/1', type: 'CARD', status: 'ACTIVE', ...changes }),
      ),
    );

  test('4.7 takes an instruction without details, and a reference that has to be encoded', async () => {
    answerWith({});
    expect(await vendor.fetchInstruction('r/1', 'CARD')).toStrictEqual({});
  });

  test.each(['EXPIRED', 'active', ''])('4.7 rejects an instruction with status %j', async (status) => {
    answerWith({ status });
    expect(await failureOf(vendor.fetchInstruction('r/1', 'CARD'))).toMatchObject({
      code: 'payment_vendor_rejected',
      attr: 'reference',
    });
  });

  test.each([
    ['a full card number for the last four digits', { last4: '4242424242424242' }],
    ['a full card number for a brand', { brand: 'visa 4242 4242 4242 4242' }],
    ['a NUL in a bank', { bank_name: 'First\u0000Bank' }],
    ['a lone surrogate in a brand', { brand: '\ud800' }],
    ['a month that does not exist', { exp_month: 13 }],
    ['a year as text', { exp_year: '2031' }],
    ['a list', []],
    ['text', 'visa'],
  ])('4.7 takes details with %s for an intermittent failure', async (_name, details) => {
    answerWith({ details });
    expect((await failureOf(vendor.fetchInstruction('r/1', 'CARD'))).code).toBe('payment_vendor_unavailable');
  });

  test('4.7 stores the bank of a direct debit, and no field that is null', async () => {
    const details = {
      bank_name: 'Crédit Agricole (Île-de-France)',
      last4: '0019',
      brand: null,
      iban: 'FR7630006000011234567890189',
    };
    answerWith({ type: 'SEPA_DEBIT', details });
    expect(await vendor.fetchInstruction('r/1', 'SEPA_DEBIT')).toStrictEqual({
      bank_name: 'Crédit Agricole (Île-de-France)',
      last4: '0019',
    });
  });
});

describe('stripe vendor', () => {
  const vendor = stripeVendor({ name: 'STRIPE', baseUrl: STRIPE_BASE_URL, secret });
  const answerWith = (paymentMethod: Record<string, unknown>) =>
    server.use(http.get(`${STRIPE_BASE_URL}/v1/payment_methods/pm_1`, () => HttpResponse.json(paymentMethod)));

  test.each([
    ['without its card', undefined],
    ['without its last four digits', { ...card, last4: null }],
    ['without its expiry', { brand: 'visa', last4: '4242' }],
  ])('4.7 rejects a card %s', async (_name, description) => {
    answerWith({ id: 'pm_1', type: 'card', card: description });
    expect(await failureOf(vendor.fetchInstruction('pm_1', 'CARD'))).toMatchObject({
      code: 'payment_vendor_rejected',
      attr: 'reference',
    });
  });

  test('4.7 rejects a bank debit that was announced as a card', async () => {
    answerWith({ id: 'pm_1', type: 'sepa_debit', sepa_debit: { last4: '3201', country: 'DE' }, card });
    expect(await failureOf(vendor.fetchInstruction('pm_1', 'CARD'))).toMatchObject({
      code: 'payment_vendor_rejected',
      attr: 'type',
    });
  });

  test('4.7 takes a bank debit that was announced as one', async () => {
    answerWith({ id: 'pm_1', type: 'sepa_debit', sepa_debit: { last4: '3201', country: 'DE', fingerprint: 'f' } });
    expect(await vendor.fetchInstruction('pm_1', 'SEPA_DEBIT')).toStrictEqual({
      payment_method: 'pm_1',
      last4: '3201',
      country: 'DE',
    });
  });

  test('4.7 sends Stripe its version and no telemetry', async () => {
    let headers = new Headers();
    server.use(
      http.get(`${STRIPE_BASE_URL}/v1/payment_methods/pm_1`, ({ request }) => {
        headers = request.headers;
        return HttpResponse.json({ id: 'pm_1', type: 'card', card });
      }),
    );
    await vendor.fetchInstruction('pm_1', 'CARD');
    expect(headers.get('stripe-version')).toMatch(/^\d{4}-\d{2}-\d{2}/);
    expect(headers.get('x-stripe-client-telemetry')).toBeNull();
  });
});

const baseUrl = 'https://vendor.example/base';

const rejected = [300, 301, 302, 303, 304, 307, 308, 400, 402, 404, 405, 409, 410, 418, 422, 451, 499];
const unavailable = [201, 202, 204, 206, 408, 425, 429, 500, 501, 502, 503, 504, 529, 599];
const ownFault = [401, 403];

describe.each(testedVendors)('$kind vendor', ({ connect, path, answer, details }) => {
  const vendor = connect({ baseUrl });
  const answerWith = (respond: (request: Request) => Response) =>
    server.use(http.get(`${baseUrl}${path}/:reference`, ({ request }) => respond(request)));

  test('4.7 fetches the details of an instruction, and stores nothing else of the answer', async () => {
    let authorization: string | null = null;
    answerWith((request) => {
      authorization = request.headers.get('authorization');
      return HttpResponse.json(answer('pm_1'));
    });
    expect(await vendor.fetchInstruction('pm_1', 'CARD')).toStrictEqual(details('pm_1'));
    expect(authorization).toBe(`Bearer ${secret}`);
  });

  test.each(rejected)('4.7 rejects for good what the vendor answers with status %i', async (status) => {
    answerWith(() => new HttpResponse(null, { status, headers: { location: `${baseUrl}${path}/pm_2` } }));
    const failure = await failureOf(vendor.fetchInstruction('pm_1', 'CARD'));
    expect(failure).toMatchObject({ code: 'payment_vendor_rejected', attr: 'reference' });
    expect(failure.problem).toContain(`status ${status}`);
  });

  test.each(unavailable)('4.7 takes status %i for an intermittent failure', async (status) => {
    const empty = status === 204;
    answerWith(() => new HttpResponse(empty ? null : JSON.stringify(answer('pm_1')), { status }));
    const failure = await failureOf(vendor.fetchInstruction('pm_1', 'CARD'));
    expect(failure).toMatchObject({ code: 'payment_vendor_unavailable', attr: undefined, severity: 'warn' });
    expect(failure.problem).toContain(`status ${status}`);
  });

  test.each(ownFault)(
    '4.7 takes status %i for our own fault: intermittent, to be logged as an error',
    async (status) => {
      answerWith(() => HttpResponse.json({ error: { message: `Invalid API Key provided: ${secret}` } }, { status }));
      const failure = await failureOf(vendor.fetchInstruction('pm_1', 'CARD'));
      expect(failure).toMatchObject({ code: 'payment_vendor_unavailable', severity: 'error' });
    },
  );

  test.each([
    ['nothing', ''],
    ['HTML', '<h1>Welcome</h1>'],
    ['half a JSON object', '{"id": "pm_1"'],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['null', 'null'],
    ['true', 'true'],
    ['a number', '1'],
    ['a string', '"pm_1"'],
    ['an array', '[{}]'],
    ['an object without a known field', '{}'],
    ['an object with an error', '{"error": {"message": "sorry"}}'],
    ['an object with the text of an error', '{"error": "sorry"}'],
  ])('4.7 takes a body of %s for an intermittent failure', async (_name, body) => {
    answerWith(() => new HttpResponse(body, { status: 200, headers: { 'content-type': 'application/json' } }));
    const failure = await failureOf(vendor.fetchInstruction('pm_1', 'CARD'));
    expect(failure).toMatchObject({ code: 'payment_vendor_unavailable', severity: 'warn' });
  });

  test('4.7 takes an answer about another instruction for an intermittent failure', async () => {
    answerWith(() => HttpResponse.json(answer('pm_2')));
    const failure = await failureOf(vendor.fetchInstruction('pm_1', 'CARD'));
    expect(failure.code).toBe('payment_vendor_unavailable');
  });

  test('4.7 rejects an instruction of another type, and names the type', async () => {
    answerWith(() => HttpResponse.json(answer('pm_1')));
    const failure = await failureOf(vendor.fetchInstruction('pm_1', 'SEPA_DEBIT'));
    expect(failure).toMatchObject({ code: 'payment_vendor_rejected', attr: 'type' });
  });

  test('4.7 keeps the secret and the words of the vendor out of every failure', async () => {
    const echo = `${secret}, and the card of Zoë Müller`;
    const answers = [
      () => HttpResponse.error(),
      () => HttpResponse.text(echo),
      ...[302, 401, 404, 500].map(
        (status) => () => HttpResponse.json({ error: { message: echo, code: echo } }, { status }),
      ),
      () => HttpResponse.json({ error: { message: echo, type: 'card_error', code: echo } }),
      () => HttpResponse.json({ ...answer('pm_1'), type: echo }),
    ];
    for (const respond of answers) {
      answerWith(respond);
      const { error } = await failureOf(vendor.fetchInstruction('pm_1', 'CARD'));
      const seen = inspect(error, { depth: null, showHidden: true });
      expect(seen).not.toContain(secret);
      expect(seen).not.toContain('Müller');
    }
  });

  test('4.7 keeps a secret that no header can carry out of the failure', async () => {
    const broken = connect({ baseUrl, secret: 'line\nbreak_never_shown' });
    const { error } = await failureOf(broken.fetchInstruction('pm_1', 'CARD'));
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('never_shown');
  });
});
