import { expect, test } from 'vitest';
import { cluster } from '../../src/bulk/chunks/clusters.ts';
import { estimateFinish, presentRate } from '../../src/bulk/jobs/get-bulk-job.ts';

const now = new Date('2026-04-17T09:30:00Z');
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const minutes = (...lines: number[]) => lines.map((count, minutes_ago) => ({ minutes_ago, lines: count }));
const secondsTo = (time: Date | undefined) => Math.round(((time?.getTime() ?? Number.NaN) - now.getTime()) / 1_000);

test('21.5.3 a steady rate is the rate, and its band is narrow', () => {
  const work = { now, since: ago(600), minutes: minutes(600, 600, 600, 600), waiting: 1_000 };
  expect(presentRate(work)).toBe(10);
  const { finishesAt, from, to } = estimateFinish(work) ?? {};
  expect([finishesAt, from, to].map(secondsTo)).toEqual([100, 100, 100]);
});

test('21.5.3 there is no estimate in the first 20 seconds, and while nothing is done', () => {
  expect(estimateFinish({ now, since: ago(19), minutes: minutes(500), waiting: 10 })).toBeUndefined();
  expect(estimateFinish({ now, since: ago(60), minutes: [], waiting: 10 })).toBeUndefined();
  expect(presentRate({ now, since: now, minutes: [] })).toBe(0);
});

test('21.5.3 of a minute that has only begun, the time that was worked counts', () => {
  const work = { now, since: ago(30), minutes: minutes(300), waiting: 100 };
  expect(presentRate(work)).toBe(10);
  expect(secondsTo(estimateFinish(work)?.finishesAt)).toBe(10);
});

test('21.5.3 a minute two minutes ago counts half as much as the present one', () => {
  const both = [
    { minutes_ago: 0, lines: 600 },
    { minutes_ago: 2, lines: 1_200 },
  ];
  const estimated = estimateFinish({ now, since: ago(600), minutes: both, waiting: 4_000 });
  // (10 + 20 / 2) / 1.5 lines a second.
  expect(secondsTo(estimated?.finishesAt)).toBe(300);
});

test('21.5.3 the band holds the estimate, between the better and the poorer minutes', () => {
  const { finishesAt, from, to } =
    estimateFinish({ now, since: ago(1_800), minutes: minutes(60, 1_200, 600, 900, 300, 600), waiting: 3_000 }) ?? {};
  expect(secondsTo(from)).toBeLessThan(secondsTo(finishesAt));
  expect(secondsTo(to)).toBeGreaterThan(secondsTo(finishesAt));
});

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
