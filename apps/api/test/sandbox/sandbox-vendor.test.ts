import { httpVendor } from '@causeway/domain';
import { afterAll, expect, test } from 'vitest';
import { startSandboxVendor } from '../../src/sandbox/sandbox-vendor.ts';

const sandbox = await startSandboxVendor();
afterAll(() => sandbox.close());

const ask = (reference: string, timeLimitMs = 60_000) =>
  httpVendor({ name: 'SANDBOX', ...sandbox, timeLimitMs }).fetchInstruction(reference, 'CARD');

test('4.7 the sandbox verifies pm_ok_ with the same card each time', async () => {
  const details = await ask('pm_ok_é/1');
  expect(details).toMatchObject({ last4: expect.stringMatching(/^\d{4}$/), country: 'GB' });
  expect(await ask('pm_ok_é/1')).toStrictEqual(details);
});

test.each(['missing', 'unusable', 'othertype', 'redirect', '404', '410', '422', 'nonsense', 'toString'])(
  '4.7 the sandbox makes pm_%s_ a persistent failure',
  async (outcome) => {
    await expect(ask(`pm_${outcome}_1`)).rejects.toMatchObject({ code: 'payment_vendor_rejected' });
  },
);

test.each(['reset', 'cut', 'large', 'html', '401', '408', '429', '500', '503'])(
  '4.7 the sandbox makes pm_%s_ an intermittent failure',
  async (outcome) => {
    await expect(ask(`pm_${outcome}_1`)).rejects.toMatchObject({ code: 'payment_vendor_unavailable' });
  },
);

test('4.7 the sandbox never answers pm_timeout_', async () => {
  await expect(ask('pm_timeout_1', 50)).rejects.toMatchObject({ code: 'payment_vendor_unavailable' });
});

test('4.7 the sandbox answers nobody without its secret', async () => {
  const answer = await fetch(`${sandbox.baseUrl}/payment-instructions/pm_ok_1?type=CARD`);
  expect(answer.status).toBe(401);
});
