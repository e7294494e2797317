import { inspect } from 'node:util';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { failureOf, secret, testedVendors } from './vendors.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

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
