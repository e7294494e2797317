import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { STRIPE_BASE_URL, stripeVendor } from '../../src/payment-vendors/configure-payment-vendors.ts';
import { httpVendor } from '../../src/payment-vendors/http-vendor.ts';
import { card, failureOf, secret } from './vendors.ts';

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
