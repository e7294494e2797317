import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayAfter, dayIn } from '../../src/dates.ts';
import { nearestDayInside, openStatementPeriod } from '../../src/transactions/open-statement-period.ts';

const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const instant = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-12-31'), noInvalidDate: true });
const timeZone = fc.constantFrom(
  'UTC',
  'Pacific/Auckland',
  'America/Los_Angeles',
  'Europe/London',
  'Pacific/Kiritimati',
);

test.each([
  ['from the day after last_billed_to_date', '2026-03-31', 'UTC', { from: '2026-04-01', to: '2026-04-20' }],
  ['from the day of creation where it was never billed', null, 'UTC', { from: '2026-04-10', to: '2026-04-20' }],
  ['with today only, billed to yesterday', '2026-04-19', 'UTC', { from: '2026-04-20', to: '2026-04-20' }],
  ['with today still inside, billed to today', '2026-04-20', 'UTC', { from: '2026-04-20', to: '2026-04-20' }],
  ['over the end of February in a leap year', '2024-02-28', 'UTC', { from: '2024-02-29', to: '2026-04-20' }],
  // 13:00 UTC is the next day in Auckland, at both ends.
  ['in the time zone of the service', null, 'Pacific/Auckland', { from: '2026-04-11', to: '2026-04-21' }],
] as const)('design 4.4 the open statement period runs %s', (_what, last_billed_to_date, zone, period) => {
  const account = { last_billed_to_date, created_at: new Date('2026-04-10T13:00:00Z') };
  expect(openStatementPeriod(account, zone, new Date('2026-04-20T13:00:00Z'))).toEqual(period);
});

test('design 4.4 the open statement period is never empty and ends today', () => {
  fc.assert(
    fc.property(fc.option(day), instant, instant, timeZone, (last_billed_to_date, created_at, now, zone) => {
      const { from, to } = openStatementPeriod({ last_billed_to_date, created_at }, zone, now);
      expect(to).toBe(dayIn(zone, now));
      expect(from <= to).toBe(true);
    }),
  );
});

test('design 4.4 an outside date becomes the nearest day of the open statement period, an inside date stays', () => {
  fc.assert(
    fc.property(day, day, day, (one, other, date) => {
      const [from, to] = [one, other].sort() as [string, string];
      const inside = nearestDayInside(date, { from, to });
      const distance = (candidate: string) => Math.abs(Date.parse(candidate) - Date.parse(date));
      expect(from <= inside && inside <= to).toBe(true);
      expect(distance(inside)).toBe(from <= date && date <= to ? 0 : Math.min(distance(from), distance(to)));
    }),
  );
});

test('2.2 the day after a day is the next day of the calendar', () => {
  expect(['2026-12-31', '2024-02-28', '2100-02-28'].map(dayAfter)).toEqual(['2027-01-01', '2024-02-29', '2100-03-01']);
});
