import { expect, test } from 'vitest';
import { cluster } from '../../src/bulk/chunks/clusters.ts';

test('21.5.4 names that senders make up are one problem, and crowd no other out', () => {
  const lineOf = (number: string, attrs: string[]) => ({
    external_account_number: number,
    refusal: {
      step: 'validate' as const,
      code: 'request_failed_validation' as const,
      errors: attrs.map((attr) => ({ code: 'invalid' as const, attr, detail: '' })),
    },
  });
  const made = Array.from({ length: 300 }, (_, index) => `customers.0.customer_preferences.opted_into_${index}`);
  const lines = [0, 100, 200].map((from) => lineOf(`P-${from}`, made.slice(from, from + 100)));
  const clusters = cluster([], [...lines, lineOf('A-1', ['customers.0.landline'])]);
  expect(clusters.map(({ attr, accounts }) => [attr, accounts])).toEqual([
    ['customers.*.customer_preferences.*', 3],
    ['customers.*.landline', 1],
  ]);
});
