import { startFakeVendor } from '@causeway/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { paymentVendorsFrom, readVendorSettings } from '../../src/payment-vendors/configure-payment-vendors.ts';
import { card, secret } from './vendors.ts';

const fake = await startFakeVendor();
afterAll(() => fake.close());

const acme = { name: 'ACME', kind: 'http', base_url: 'http://acme.example/v2', secret };

describe('PAYMENT_VENDORS', () => {
  test.each([undefined, '', '  ', '[]'])('4.7 configures no vendor for %j', (setting) => {
    expect(paymentVendorsFrom(readVendorSettings(setting)).size).toBe(0);
  });

  test.each(['SANDBOX', ' SANDBOX\n', '["SANDBOX"]'])('4.7 configures the sandbox for %j', async (setting) => {
    fake.behaveFor('pm_ok_1', {
      kind: 'answer',
      body: { reference: 'pm_ok_1', type: 'CARD', status: 'ACTIVE', details: card },
    });
    const settings = readVendorSettings(setting);
    const vendor = paymentVendorsFrom(settings, { sandbox: { baseUrl: fake.url, secret } }).get('SANDBOX');
    expect(await vendor?.fetchInstruction('pm_ok_1', 'CARD')).toStrictEqual(card);
    expect(() => paymentVendorsFrom(settings)).toThrow('no sandbox vendor was started');
  });

  test('4.7 configures several vendors, each by its name and kind, in one setting', () => {
    const settings = readVendorSettings(JSON.stringify([acme, { name: 'STRIPE', kind: 'stripe', secret }, 'SANDBOX']));
    expect(settings).toStrictEqual([
      { kind: 'http', name: 'ACME', baseUrl: 'http://acme.example/v2', secret },
      { kind: 'stripe', name: 'STRIPE', baseUrl: 'https://api.stripe.com/', secret },
      { kind: 'sandbox', name: 'SANDBOX' },
    ]);
    const vendors = paymentVendorsFrom(settings, { sandbox: { baseUrl: fake.url, secret } });
    expect([...vendors].map(([name, vendor]) => [name, vendor.name])).toStrictEqual([
      ['ACME', 'ACME'],
      ['STRIPE', 'STRIPE'],
      ['SANDBOX', 'SANDBOX'],
    ]);
  });

  test.each<[string, unknown, string]>([
    ['another word', secret, 'neither the word SANDBOX nor valid JSON'],
    ['half a list', `[{"name":"ACME","secret":"${secret}"`, 'neither the word SANDBOX nor valid JSON'],
    ['an object', acme, 'a JSON array of vendors'],
    ['a word in the list', [secret], 'vendor 1 must be an object'],
    ['an unknown field', [acme, { ...acme, name: 'B', [secret]: 1 }], 'vendor 2 has a field other than'],
    ['a name in small letters', [{ ...acme, name: secret }], 'vendor 1: name must be UPPER_SNAKE'],
    ['a name of 65 characters', [{ ...acme, name: 'A'.repeat(65) }], 'vendor 1: name must be UPPER_SNAKE'],
    ['another kind', [{ ...acme, kind: secret }], 'vendor 1 (ACME): kind must be'],
    ['no secret', [{ ...acme, secret: undefined }], 'vendor 1 (ACME): secret must be'],
    ['a secret with a line break', [{ ...acme, secret: `${secret}\n` }], 'vendor 1 (ACME): secret must be'],
    ['no base URL', [{ ...acme, base_url: undefined }], 'vendor 1 (ACME): base_url must be'],
    ['a base URL of another scheme', [{ ...acme, base_url: `file:///${secret}` }], 'vendor 1 (ACME): base_url must be'],
    [
      'a base URL with a password',
      [{ ...acme, base_url: `http://a:${secret}@b` }],
      'vendor 1 (ACME): base_url must be',
    ],
    [
      'a base URL with a query',
      [{ ...acme, base_url: `http://a/?key=${secret}` }],
      'vendor 1 (ACME): base_url must be',
    ],
    ['a name given twice', [acme, acme], 'the name ACME is given twice'],
  ])('4.7 refuses %s with a clear message that quotes no secret', (_name, setting, message) => {
    const text = typeof setting === 'string' ? setting : JSON.stringify(setting);
    expect(() => readVendorSettings(text)).toThrow(message);
    expect(() => readVendorSettings(text)).toThrow(/^PAYMENT_VENDORS cannot be read: (?!.*never_shown)/s);
  });
});
