import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestDayInside, openStatementPeriod } from '../../src/transactions/decide-transactions.ts';

const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
test.each([
  ['from the day that the account set', '2026-04-01', { from: '2026-04-01', to: '2026-04-20' }],
  ['with today only, billed to yesterday', '2026-04-20', { from: '2026-04-20', to: '2026-04-20' }],
  ['with today still inside, billed to today', '2026-04-21', { from: '2026-04-20', to: '2026-04-20' }],
])('2.5 the open statement period runs %s', (_what, openStatementFrom, period) => {
  expect(openStatementPeriod(openStatementFrom, '2026-04-20')).toEqual(period);
});

test('2.5 the open statement period is never empty and ends today', () => {
  fc.assert(
    fc.property(day, day, (openStatementFrom, today) => {
      const { from, to } = openStatementPeriod(openStatementFrom, today);
      expect(to).toBe(today);
      expect(from <= to).toBe(true);
    }),
  );
});

test('4.5 an outside date becomes the nearest day of the open statement period, an inside date stays', () => {
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
