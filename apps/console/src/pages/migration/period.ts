const HOUR_MS = 3_600_000;

/** How far back the chart of a migration looks. */
export const PERIODS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 744 * HOUR_MS } as const;
export type Period = keyof typeof PERIODS;

export function isPeriod(value: unknown): value is Period {
  return typeof value === 'string' && value in PERIODS;
}

/** The period that ends now, as the service takes it. */
export function lastPeriod(period: Period): { from: string; to: string } {
  const now = Date.now();
  const text = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
  // The sample of this second is to be in it.
  return { from: text(now - PERIODS[period]), to: text(now + 1_000) };
}
